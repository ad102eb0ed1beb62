package org.fibnuma.bench.nic;

/**
 * An emulated network card of a {@link Guest}.
 *
 * @param name   of its interface in the guest, at most 13 characters.
 * @param model  of the card.
 * @param queues pairs of queues that the interface has when the guest is up; 1 or 2, and 1 for an e1000.
 */
public record GuestNic(String name, Model model, int queues)
{
    /** A card that QEMU emulates and its driver in the guest. */
    public enum Model
    {
        /** Intel 82576, driver igb: native XDP and zero copy. Two pairs of queues, RSS by addresses. */
        IGB("igb", "romfile="),
        /**
         * virtio-net with two pairs of queues, driver virtio_net: native XDP and zero copy. For zero copy the kernel
         * needs VIRTIO_F_ACCESS_PLATFORM.
         */
        VIRTIO("virtio-net-pci", "romfile=,mq=on,vectors=6,iommu_platform=on,disable-legacy=on"),
        /** virtio-net whose offloads cannot be changed at run time, so that the driver refuses a native program. */
        VIRTIO_FIXED_OFFLOADS("virtio-net-pci",
            "romfile=,mq=on,vectors=6,iommu_platform=on,disable-legacy=on,ctrl_guest_offloads=off"),
        /** Intel 82540EM, driver e1000: generic XDP only. */
        E1000("e1000", "romfile=");

        private final String device;
        private final String options;

        Model(final String device, final String options)
        {
            this.device = device;
            this.options = options;
        }

        boolean isVirtio()
        {
            return this == VIRTIO || this == VIRTIO_FIXED_OFFLOADS;
        }

        String device()
        {
            return device;
        }

        String options()
        {
            return options;
        }
    }
}

package org.fibnuma.binding.afxdp;

import org.fibnuma.binding.netdevice.EthtoolValues;
import org.fibnuma.binding.netdevice.NetworkDevice;
import org.fibnuma.core.host.HostChanges;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Switches off offloads of an interface that change frames before an XDP program gets them. The old settings are
 * restored on close, or by the next start. Control thread.
 */
final class ReceiveOffloads implements AutoCloseable
{
    /**
     * Names of features in net/ethtool/common.c (Linux 6.1) with which a card moves a VLAN tag from the frame to its
     * descriptor, which XDP does not see: of IEEE 802.1Q and of 802.1ad.
     */
    private static final List<String> VLAN_PARSERS = List.of("rx-vlan-hw-parse", "rx-vlan-stag-hw-parse");

    private final NetworkDevice device;
    private final HostChanges changes;
    private final XdpFailure failure;
    private final EthtoolValues kernel = new EthtoolValues();
    private final Deque<HostChanges.Change> made = new ArrayDeque<>();

    /** Opens the interface's settings in the calling thread's network namespace; nothing is changed yet. */
    ReceiveOffloads(final NetworkDevice device, final HostChanges changes, final XdpFailure failure)
    {
        this.device = device;
        this.changes = changes;
        this.failure = failure;
    }

    /**
     * Leaves VLAN tags in frames, so that tagged frames are not taken for untagged ones.
     *
     * @throws org.fibnuma.core.UserException where the driver does not allow it.
     */
    void keepVlanTags()
    {
        for (final String feature : VLAN_PARSERS)
        {
            try
            {
                switchOff(EthtoolValues.PREFIX + feature);
            }
            catch (final IOException ex)
            {
                throw failure.of("its driver removes VLAN tags from frames, so that tagged frames would be routed as " +
                    "untagged, and this cannot be switched off (ethtool -K " + device.name() + " " + feature +
                    " off): " + ex.getMessage());
            }
        }
    }

    private void switchOff(final String feature) throws IOException
    {
        if (EthtoolValues.ON.equals(kernel.read(device.name(), device.index(), feature)))
        {
            final HostChanges.Change change =
                changes.expect(kernel, device.name(), device.index(), feature, EthtoolValues.OFF);
            if (change != null)
            {
                made.push(change);
                change.make();
            }
        }
    }

    @Override
    public void close()
    {
        made.forEach(HostChanges.Change::close);
        made.clear();
        kernel.close();
    }
}

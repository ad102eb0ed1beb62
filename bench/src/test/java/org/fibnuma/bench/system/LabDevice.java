package org.fibnuma.bench.system;

import org.fibnuma.bench.nic.GuestNic;
import org.fibnuma.core.Require;
import org.fibnuma.core.service.netns.Host;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * What the router's ports are: the one parameter of the wire tests, {@code -Dfibnuma.system.device}. With all but XDP
 * the kernel does not see the ports, and its addresses are on TAP interfaces that stand for them.
 */
public enum LabDevice
{
    /** AF_XDP on the router's end of a veth pair. */
    XDP
    {
        @Override
        public void prepare(final LabCable cable)
        {
            veth(cable, cable.routerDevice());
        }
    },
    /** Our own TAP ports; their kernel ends are given to the hosts. */
    TAP
    {
        @Override
        public void prepare(final LabCable cable)
        {
            standIn(cable);
        }

        @Override
        public boolean needsRouter()
        {
            return true;
        }

        @Override
        public void connect(final LabCable cable)
        {
            take(cable, cable.wire());
        }

        @Override
        public String portKeys(final LabCable cable, final int index)
        {
            return hidden("tap:" + cable.wire(), cable);
        }
    },
    /**
     * DPDK's net_af_packet driver on the router's end of a veth pair, from which its kernel takes nothing. DPDK 22.11's
     * driver has the kernel put fragments together (PACKET_FANOUT_FLAG_DEFRAG), so that tests of them fail. A packet
     * socket is given TCP segments of up to 64 KiB whole, of which the driver takes the beginning: the hosts cut them.
     */
    DPDK_AF_PACKET
    {
        @Override
        public void prepare(final LabCable cable)
        {
            veth(cable, cable.wire());
            cable.host().run("ethtool", "-K", cable.hostDevice(), "tso", "off");
            // The kernel sees what DPDK sees: it must neither answer ARP nor route nor complain of what comes in.
            cable.router().run("ip", "link", "set", cable.wire(), "arp", "off");
            cable.router().sysctl("ipv4.conf." + cable.wire() + ".rp_filter", "1");
            cable.router().sysctl("ipv4.conf." + cable.wire() + ".forwarding", "0");
            standIn(cable);
            cable.router().run(
                "ip", "link", "set", cable.routerDevice(), "address", cable.router().macAddress(cable.wire()));
        }

        @Override
        public String portKeys(final LabCable cable, final int index)
        {
            return hidden("dpdk:net_af_packet" + index + ",iface=" + cable.wire() + FLOOD_FITS, cable);
        }
    },
    /** DPDK's net_tap driver; the kernel ends of its devices are given to the hosts. */
    DPDK_TAP
    {
        @Override
        public void prepare(final LabCable cable)
        {
            standIn(cable);
        }

        @Override
        public boolean needsRouter()
        {
            return true;
        }

        @Override
        public void connect(final LabCable cable)
        {
            // The router's port keeps the address that this interface had; the host needs another. It has it before it
            // goes up: its link-local address comes from it, and r0 may have made its own from the port's.
            cable.router().run("ip", "link", "set", cable.wire(), "address",
                "02:00:00:00:07:0" + cable.wire().substring(1));
            take(cable, cable.wire());
            // The driver asks for the link of an interface of this name, which it would not find any more.
            final String other = cable.wire() + "-end";
            cable.router().run("ip", "link", "add", cable.wire(), "up", "type", "veth", "peer", "name", other);
            cable.router().run("ip", "link", "set", other, "up");
        }

        @Override
        public String portKeys(final LabCable cable, final int index)
        {
            return hidden("dpdk:net_tap" + index + ",iface=" + cable.wire(), cable);
        }
    },
    /** AF_XDP in a virtual machine on Intel 82576, driver igb, in zero copy. */
    GUEST_IGB(GuestNic.Model.IGB),
    /** AF_XDP in a virtual machine on virtio-net, in native copy. */
    GUEST_VIRTIO(GuestNic.Model.VIRTIO),
    /** AF_XDP in a virtual machine on Intel 82540EM, driver e1000, in generic mode. */
    GUEST_E1000(GuestNic.Model.E1000);

    private static final String FLOOD_FITS = ",framecnt=4096";
    private static final String PROPERTY = "fibnuma.system.device";

    /** Of the cards of a virtual machine, or null. */
    private final GuestNic.Model model;

    LabDevice()
    {
        this(null);
    }

    LabDevice(final GuestNic.Model model)
    {
        this.model = model;
    }

    public static LabDevice chosen()
    {
        final String text = System.getProperty(PROPERTY, XDP.key());
        return Arrays.stream(values()).filter(device -> device.key().equals(text)).findFirst().orElseThrow(
            () -> new IllegalArgumentException("-D" + PROPERTY + "=" + text + ": give one of " +
            Arrays.stream(values()).map(LabDevice::key).collect(Collectors.joining(", "))));
    }

    private String key()
    {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Whether XDP programs of the router's kernel choose the frames that the router gets. */
    public boolean isXdp()
    {
        return this == XDP || model != null;
    }

    /** Whether the ports are cards that pad frames to 60 bytes when they receive them. */
    boolean padsFrames()
    {
        return model == GuestNic.Model.IGB || model == GuestNic.Model.E1000;
    }

    /** Length in bytes of the shortest frame that the ports send: the driver e1000 fills shorter ones up with zeros. */
    int shortestSent()
    {
        return model == GuestNic.Model.E1000 ? 60 : 0;
    }

    /**
     * Ends a test that sends extension headers which are none, over the emulated Intel 82576: QEMU 10 sends no frame
     * whose extension headers it cannot read, whoever forwards it.
     */
    void requireAnyExtensionHeaders()
    {
        assumeTrue(model != GuestNic.Model.IGB, "the emulated card does not send such a frame");
    }

    /** Makes the machine of the router, which has no ports yet, or ends the test with the reason why it cannot. */
    RouterMachine openMachine()
    {
        return model == null ? new NamespaceMachine(Host.open("router")) : GuestMachine.boot(model);
    }

    /** As {@link #require()} does, for a test with a router in a network namespace. */
    public void requireHost()
    {
        assumeTrue(model == null, "the router of this test is not in a virtual machine");
        require();
    }

    /** Ends the test, with a reason, where this machine cannot have such ports. */
    public void require()
    {
        if (!isXdp())
        {
            Require.that(Files.exists(Path.of("/dev/net/tun")), "needs TAP interfaces: modprobe tun");
        }
        if (key().startsWith("dpdk"))
        {
            Require.program("dpdk-testpmd", "dpdk");
        }
        if (this == DPDK_AF_PACKET)
        {
            Require.program("ethtool", "ethtool");
        }
    }

    /** Makes the router's interfaces that there can be before it runs. */
    public void prepare(final LabCable cable)
    {
        cable.router().run("ip", "link", "set", cable.routerDevice(), "mtu", Integer.toString(cable.mtu()), "up");
    }

    /** Whether the hosts have their ends of the cables from the running router. */
    public boolean needsRouter()
    {
        return false;
    }

    /** Whether the kernel forgets its neighbours when the router starts: a driver resets its card for XDP. */
    boolean isReset()
    {
        return model != null;
    }

    /** Makes the host's end of the cable where there is none yet. */
    public void connect(final LabCable cable)
    {
        if (model != null)
        {
            take(cable, cable.routerDevice());
        }
    }

    /** The lines of the port's configuration behind its name. */
    public String portKeys(final LabCable cable, final int index)
    {
        return "device = \"xdp:" + cable.routerDevice() + "\"";
    }

    private static void veth(final LabCable cable, final String routerEnd)
    {
        cable.host().connect(cable.hostDevice(), cable.router().host(), routerEnd, cable.mtu());
    }

    /** Gives the host the far end of a device of the router, with a queue that the floods of the tests fit. */
    private static void take(final LabCable cable, final String device)
    {
        cable.router().give(device, cable.host(), cable.hostDevice());
        cable.host().run("ip", "link", "set", cable.hostDevice(),
            "mtu", Integer.toString(cable.mtu()), "txqueuelen", "5000");
    }

    /** The interface that stands for a port, there before the router, so that it has addresses and routes. */
    private static void standIn(final LabCable cable)
    {
        final RouterMachine router = cable.router();
        router.run("ip", "tuntap", "add", "dev", cable.routerDevice(), "mode", "tap", "multi_queue");
        router.run("ip", "link", "set", cable.routerDevice(), "mtu", Integer.toString(cable.mtu()), "up");
    }

    private static String hidden(final String portDevice, final LabCable cable)
    {
        return "device = \"" + portDevice + "\"\nexception = \"tap:" + cable.routerDevice() + "\"";
    }
}

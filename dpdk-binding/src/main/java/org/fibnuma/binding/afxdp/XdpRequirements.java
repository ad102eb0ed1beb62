package org.fibnuma.binding.afxdp;

import org.agrona.BitUtil;
import org.fibnuma.binding.netdevice.NetworkDevice;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.port.PortException;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What can be known to go wrong before anything is opened. */
final class XdpRequirements
{
    private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+).*");
    /** The first with BPF links for XDP. */
    private static final int MIN_MAJOR = 5;
    private static final int MIN_MINOR = 9;

    private XdpRequirements()
    {
    }

    /**
     * Looks at the machine, the request and the interface.
     *
     * @param request of the port.
     * @param failure makes its messages.
     * @return the interface.
     * @throws PortException naming what is in the way.
     */
    static NetworkDevice check(final PortRequest request, final XdpFailure failure)
    {
        checkKernel(System.getProperty("os.name"), System.getProperty("os.version"), failure);
        checkRings(request, failure);
        final NetworkDevice device = device(request, failure);
        if (device == null)
        {
            throw failure.of("there is no interface " + request.device() +
                " in this network namespace: ip link shows them");
        }
        return device;
    }

    /**
     * Looks at the interface alone.
     *
     * @param request of the port.
     * @param failure makes its messages.
     * @return the interface, or null where there is none of the name.
     * @throws PortException naming what is in the way.
     */
    static NetworkDevice device(final PortRequest request, final XdpFailure failure)
    {
        final String name = request.device();
        if (!NetworkDevice.isName(name))
        {
            throw failure.of("\"" + name + "\" cannot be the name of an interface");
        }
        final NetworkDevice device = NetworkDevice.read(name);
        if (device != null)
        {
            checkDevice(device, request, failure);
            checkQueues(device, request.queueCount(), failure);
        }
        return device;
    }

    static void checkKernel(final String system, final String version, final XdpFailure failure)
    {
        final Matcher matcher = VERSION.matcher(version);
        if (!"Linux".equals(system) || !matcher.matches())
        {
            throw failure.of("AF_XDP is Linux's; this is " + system + " " + version);
        }
        final int major = Integer.parseInt(matcher.group(1));
        if (major < MIN_MAJOR || major == MIN_MAJOR && Integer.parseInt(matcher.group(2)) < MIN_MINOR)
        {
            throw failure.of("needs Linux " + MIN_MAJOR + "." + MIN_MINOR + " or later; this is " + version);
        }
    }

    private static void checkRings(final PortRequest request, final XdpFailure failure)
    {
        if (!BitUtil.isPowerOfTwo(request.settings().rxRingSize()) ||
            !BitUtil.isPowerOfTwo(request.settings().txRingSize()))
        {
            throw failure.of("ring sizes must be powers of two: " + request.settings().rxRingSize() + ", " +
                request.settings().txRingSize());
        }
        final int needed = XdpSocket.fillSize(request.settings());
        for (final FramePool pool : request.pools())
        {
            if (pool.available() < needed)
            {
                throw failure.of("takes " + needed + " frames of each worker to receive into, where " +
                    pool.available() + " of " + pool.capacity() + " are free: more frames or a smaller receive ring");
            }
        }
    }

    private static void checkDevice(
        final NetworkDevice device, final PortRequest request, final XdpFailure failure)
    {
        if (!device.ethernet())
        {
            throw failure.of("is no Ethernet interface");
        }
        if (!device.up())
        {
            throw failure.down();
        }
        final int room = request.pools().get(0).chunkSize() - FramePool.HEADROOM - EthernetHeaderFlyweight.LENGTH;
        if (device.mtu() > room)
        {
            throw failure.of("its MTU of " + device.mtu() + " does not fit a frame of " +
                request.pools().get(0).chunkSize() + " bytes, which carries " + room + ": ip link set " +
                device.name() + " mtu " + room);
        }
    }

    /** Frames on a queue without a worker would go past us to the kernel. */
    private static void checkQueues(
        final NetworkDevice device, final int workers, final XdpFailure failure)
    {
        if (device.rxQueues() != NetworkDevice.UNKNOWN && device.txQueues() < workers)
        {
            throw failure.of("has " + device.txQueues() + " transmit queues for " + workers + " workers: " +
                failure.moreQueues(workers) + ", or fewer workers");
        }
        if (device.rxQueues() != NetworkDevice.UNKNOWN && device.rxQueues() != workers)
        {
            throw failure.of("has " + device.rxQueues() + " receive queues for " + workers +
                " workers, where each needs one and none may be left over: " + failure.moreQueues(workers));
        }
    }
}

package org.fibnuma.binding.afxdp;

import org.agrona.BitUtil;
import org.fibnuma.binding.netdevice.NetworkDevice;
import org.fibnuma.core.UserException;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Checks the requirements of a port before anything is opened. */
final class XdpRequirements
{
    private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+).*");
    /** The first version with BPF links for XDP. */
    private static final int MIN_MAJOR = 5;
    private static final int MIN_MINOR = 9;

    private XdpRequirements()
    {
    }

    /**
     * Checks the kernel, the request and the interface, and returns the interface.
     *
     * @param request of the port.
     * @param failure creates the messages.
     * @throws UserException with the requirement that is not met.
     */
    static NetworkDevice check(final PortRequest request, final XdpFailure failure)
    {
        checkKernel(System.getProperty("os.name"), System.getProperty("os.version"), failure);
        checkRings(request, failure);
        final NetworkDevice device = device(request, failure);
        if (device == null)
        {
            throw failure.noInterface();
        }
        return device;
    }

    /**
     * Checks only the interface. Returns null if there is none of the name.
     *
     * @param request of the port.
     * @param failure creates the messages.
     * @throws UserException with the requirement that is not met.
     */
    static NetworkDevice device(final PortRequest request, final XdpFailure failure)
    {
        final NetworkDevice device = find(request.device(), failure);
        if (device != null)
        {
            checkDevice(device, request, failure);
            if (!request.settings().setsQueueCount())
            {
                checkQueues(device, request.queueCount(), failure);
            }
        }
        return device;
    }

    /**
     * Checks only that there is an interface of a name.
     *
     * @throws UserException if there is none.
     */
    static void requirePresent(final String name, final XdpFailure failure)
    {
        if (find(name, failure) == null)
        {
            throw failure.noInterface();
        }
    }

    private static NetworkDevice find(final String name, final XdpFailure failure)
    {
        if (!NetworkDevice.isName(name))
        {
            throw failure.of("\"" + name + "\" cannot be the name of an interface");
        }
        return NetworkDevice.read(name);
    }

    static void checkKernel(final String system, final String version, final XdpFailure failure)
    {
        final Matcher matcher = VERSION.matcher(version);
        if (!"Linux".equals(system) || !matcher.matches())
        {
            throw failure.of("AF_XDP needs Linux; this is " + system + " " + version);
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
                throw failure.of("needs " + needed + " receive frames from each worker, but only " +
                    pool.available() + " of " + pool.capacity() + " are free: use more frames or a " +
                    "smaller receive ring");
            }
        }
    }

    private static void checkDevice(
        final NetworkDevice device, final PortRequest request, final XdpFailure failure)
    {
        if (!device.ethernet())
        {
            throw failure.of("is not an Ethernet interface");
        }
        if (!device.up())
        {
            throw failure.down();
        }
        final int room = request.pools().get(0).chunkSize() - FramePool.HEADROOM - EthernetHeaderFlyweight.LENGTH;
        if (device.mtu() > room)
        {
            throw failure.of("its MTU of " + device.mtu() + " does not fit a frame of " +
                request.pools().get(0).chunkSize() + " bytes, which has room for " + room + ": ip link set " +
                device.name() + " mtu " + room);
        }
    }

    /** Checks the number of queues. The kernel would receive the frames of a queue without a worker. */
    private static void checkQueues(
        final NetworkDevice device, final int workers, final XdpFailure failure)
    {
        if (device.rxQueues() != NetworkDevice.UNKNOWN && device.txQueues() < workers)
        {
            throw failure.of("has " + device.txQueues() + " transmit queues for " + workers + " workers: " +
                failure.moreQueues(workers) + ", queues = \"auto\" of the port, or fewer workers");
        }
        if (device.rxQueues() != NetworkDevice.UNKNOWN && device.rxQueues() != workers)
        {
            throw failure.of("has " + device.rxQueues() + " receive queues for " + workers +
                " workers, but each worker needs exactly one: " + failure.moreQueues(workers) +
                ", or queues = \"auto\" of the port");
        }
    }
}

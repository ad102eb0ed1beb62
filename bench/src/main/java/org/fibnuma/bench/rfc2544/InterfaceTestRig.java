package org.fibnuma.bench.rfc2544;

import org.fibnuma.bench.lab.Contestant;
import org.fibnuma.core.UserException;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.traffic.HostFrames;
import org.fibnuma.core.traffic.HostPort;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.MacAddress;

import java.net.Inet4Address;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Two interfaces of this host, with any router between them. The kernel has their addresses and answers ARP and
 * neighbour discovery; the router has routes for the destinations.
 */
final class InterfaceTestRig implements TestRig
{
    private static final String OWN_NAMESPACE = "/proc/self/ns/net";
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Pattern MAC = Pattern.compile("lladdr ([0-9a-f:]{17})");

    private final String left;
    private final String right;
    private final List<String> gateways;
    private final Destinations destinations;

    /**
     * Creates the rig.
     *
     * @param left         name of the interface that sends.
     * @param right        name of the interface that receives.
     * @param gateways     the router's address at the left interface, and at the right one for frames that go back.
     * @param destinations that the router forwards to the right interface, and to the left one.
     */
    InterfaceTestRig(
        final String left, final String right, final List<String> gateways, final Destinations destinations)
    {
        this.left = left;
        this.right = right;
        this.gateways = gateways;
        this.destinations = destinations;
    }

    @Override
    public String name()
    {
        return "interfaces";
    }

    @Override
    public List<Device> devices()
    {
        final String name = left + " to " + right;
        return List.of(new Device(name, null,
            () -> new Contestant.Running(name, 0, () -> true, List::of, null, () -> {})));
    }

    @Override
    public Ends connect()
    {
        return Ends.open(List.of(() -> HostPort.open(OWN_NAMESPACE, left)),
            List.of(() -> HostPort.open(OWN_NAMESPACE, right)), true);
    }

    @Override
    public HostFrames frames(final Side side, final int link, final int length)
    {
        final String device = side == Side.LEFT ? left : right;
        final NetworkInterface own = networkInterface(device);
        return new HostFrames(gatewayMac(device, gateways.get(side.ordinal())), macAddress(own),
            address(own, true).ipv4(), address(own, false), length);
    }

    @Override
    public IpAddress[] destinations(final Side side, final boolean isIpv6)
    {
        return destinations.behind(side, isIpv6);
    }

    private static NetworkInterface networkInterface(final String device)
    {
        try
        {
            final NetworkInterface own = NetworkInterface.getByName(device);
            if (own == null || own.getHardwareAddress() == null)
            {
                throw new UserException(device + " is no Ethernet interface of this host");
            }
            return own;
        }
        catch (final SocketException ex)
        {
            throw new UserException("cannot read the addresses of " + device + ": " + ex.getMessage(), ex);
        }
    }

    /** Returns the first address of a family that is not link-local; 0.0.0.0 or :: if there is none. */
    private static IpAddress address(final NetworkInterface own, final boolean isIpv4)
    {
        return own.inetAddresses()
            .filter(address -> address instanceof Inet4Address == isIpv4 && !address.isLinkLocalAddress())
            .map(address -> IpAddress.parse(address.getHostAddress().replaceFirst("%.*", "")))
            .findFirst().orElse(isIpv4 ? IpAddress.of(0) : IpAddress.NONE);
    }

    private static long macAddress(final NetworkInterface own)
    {
        try
        {
            return Long.parseLong(HexFormat.of().formatHex(own.getHardwareAddress()), 16);
        }
        catch (final SocketException ex)
        {
            throw new UserException("cannot read the address of " + own.getName() + ": " + ex.getMessage(), ex);
        }
    }

    /** Returns the MAC address of the router, which the kernel resolves. */
    private static long gatewayMac(final String device, final String gateway)
    {
        try
        {
            ChildProcess.run(PATIENCE, "ping", "-c", "1", "-W", "2", "-I", device, gateway);
        }
        catch (final UserException ignore)
        {
            // A router that answers no echo is resolved all the same.
        }
        final String neighbor = ChildProcess.run(PATIENCE, "ip", "neighbor", "show", gateway, "dev", device);
        final Matcher matcher = MAC.matcher(neighbor);
        if (!matcher.find())
        {
            throw new UserException("--gateway: no neighbour " + gateway + " answers on " + device);
        }
        return MacAddress.parse(matcher.group(1));
    }

    @Override
    public void close()
    {
    }
}

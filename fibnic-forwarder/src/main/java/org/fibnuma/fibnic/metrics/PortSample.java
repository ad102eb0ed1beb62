package org.fibnuma.fibnic.metrics;

import org.fibnuma.fibnic.fate.DropReason;
import org.fibnuma.fibnic.fate.PortTraffic;

import java.util.List;

/**
 * A port at one moment.
 *
 * @param name           of the configuration.
 * @param device         of the configuration.
 * @param mode           in use.
 * @param link           "up", "down" or "gone", as in {@code show ports}.
 * @param interfaceName  of the kernel's interface, null without one.
 * @param macAddress     of that interface.
 * @param mtu            in bytes, 0 if unknown.
 * @param addresses      of the interface with their prefix lengths, as text.
 * @param neighbors      number of neighbours on the port and its VLANs, in any state.
 * @param forwardsIpv4   whether the router forwards IPv4 received on the port, not the kernel.
 * @param forwardsIpv6   the same for IPv6.
 * @param unservedQueues receive queues of the device without a worker.
 * @param traffic        by {@link PortTraffic#id()}.
 * @param lost           by ordinal of {@link org.fibnuma.core.port.PortCounter}.
 * @param dropped        received frames that were dropped, by {@link DropReason#id()}.
 * @param exceptionLost  frames that the exception interface refused, and that were too long for the port; null if the
 *                       port has no exception interface.
 */
public record PortSample(
    String name,
    String device,
    String mode,
    String link,
    String interfaceName,
    long macAddress,
    int mtu,
    List<String> addresses,
    int neighbors,
    boolean forwardsIpv4,
    boolean forwardsIpv6,
    int unservedQueues,
    long[] traffic,
    long[] lost,
    long[] dropped,
    long[] exceptionLost)
{
    /** Returns the value of a counter. */
    public long get(final PortTraffic counter)
    {
        return traffic[counter.id()];
    }

    /** Returns how many frames that the port received were dropped for a reason. */
    public long get(final DropReason reason)
    {
        return dropped[reason.id()];
    }
}

package org.fibnuma.fibnic.rib;

import org.fibnuma.core.flow.FlowTable;
import org.fibnuma.core.kernel.Transit;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortCounter;
import org.fibnuma.core.port.RxQueue;
import org.fibnuma.core.port.SharedInterface;
import org.fibnuma.core.port.TxQueue;
import org.fibnuma.core.wire.IpAddress;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** A port that carries nothing and remembers which addresses it was told. */
final class RecordingPort implements Port, SharedInterface
{
    private final String name;
    private final int interfaceIndex;
    private final Set<String> localAddresses = new TreeSet<>();
    private final Map<Long, List<Object>> vlans = new TreeMap<>();

    RecordingPort(final String name, final int interfaceIndex)
    {
        this.name = name;
        this.interfaceIndex = interfaceIndex;
    }

    Set<String> localAddresses()
    {
        return localAddresses;
    }

    @Override
    public void localAddress(final IpAddress address, final boolean local)
    {
        final boolean changed =
            local ? localAddresses.add(address.toString()) : localAddresses.remove(address.toString());
        if (!changed)
        {
            throw new AssertionError(address + " is " + local + " already");
        }
    }

    @Override
    public String name()
    {
        return name;
    }

    @Override
    public String device()
    {
        return "test:" + name;
    }

    @Override
    public String mode()
    {
        return "test";
    }

    @Override
    public int interfaceIndex()
    {
        return interfaceIndex;
    }

    @Override
    public long macAddress()
    {
        return 0;
    }

    @Override
    public int mtu()
    {
        return 1500;
    }

    @Override
    public int queueCount()
    {
        return 1;
    }

    @Override
    public RxQueue rxQueue(final int queue)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public TxQueue txQueue(final int queue)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public void takeTransit(final Transit ipv4, final Transit ipv6)
    {
    }

    @Override
    public void takeVlan(
        final int number, final long tags, final long macAddress, final Transit ipv4, final Transit ipv6)
    {
        vlans.put(tags, List.of(macAddress, ipv4, ipv6));
    }

    @Override
    public String flows(final FlowTable flows)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public void leaveVlan(final long tags)
    {
        vlans.remove(tags);
    }

    /** What is taken of VLANs by the identity of their tags: MAC address, IPv4, IPv6. */
    Map<Long, List<Object>> vlans()
    {
        return vlans;
    }

    @Override
    public String fallback()
    {
        return "";
    }

    @Override
    public int unservedQueues()
    {
        return 0;
    }

    @Override
    public boolean followSettings()
    {
        return false;
    }

    @Override
    public boolean followAddress()
    {
        return false;
    }

    @Override
    public void start()
    {
    }

    @Override
    public long deviceCounter(final PortCounter counter)
    {
        return 0;
    }

    @Override
    public void close()
    {
    }
}

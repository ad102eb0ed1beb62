package org.fibnuma.fibnic.demo;

import org.fibnuma.core.UserException;
import org.fibnuma.core.counter.CountersFile;
import org.fibnuma.core.counter.CountersFileReader;
import org.fibnuma.core.traffic.HostFrames;
import org.fibnuma.core.traffic.TrafficGenerator;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.UdpHeaderFlyweight;
import org.fibnuma.fibnic.fate.FateReport;

import java.util.ArrayDeque;
import java.util.Deque;

/** Two hosts and a running router between them. For one thread. */
abstract class DemoNetwork implements AutoCloseable
{
    /** Addresses of the left host. */
    static final String LEFT_HOST = "10.0.0.2";
    static final String LEFT_HOST_IPV6 = "2001:db8::2";
    /** Addresses of the router on the left host's network. */
    static final String ROUTER_LEFT = "10.0.0.1";
    static final String ROUTER_LEFT_IPV6 = "2001:db8::1";
    /** Addresses of the router on the network of the next hops, which have addresses from .1 and ::1 upwards. */
    static final String ROUTER_RIGHT = "198.18.0.254";
    static final String ROUTER_RIGHT_IPV6 = "2001:2::fe";
    /** Prefix lengths of both networks. */
    static final String LENGTH = "/24";
    static final String LENGTH_IPV6 = "/64";
    /** Length of every frame that the left host sends, in bytes: the shortest for UDP over IPv6. */
    static final int FRAME_LENGTH = HostFrames.IPV6_PAYLOAD_OFFSET + UdpHeaderFlyweight.LENGTH;

    private final String name = AbandonedDemos.nameOfThis();
    private final Deque<AutoCloseable> resources = new ArrayDeque<>();
    private CountersFileReader counters;
    /** Null unless a flood runs. */
    private TrafficGenerator flood;

    /** Returns how frames move, for the result. */
    abstract String mode();

    /** Returns how frames move, as a sentence. */
    abstract String description();

    /** Returns the prober, which sends pings from the left host. */
    abstract EchoProber prober();

    /** Returns a generator that sends UDP from the left host to each destination in turn, as fast as one core can. */
    abstract TrafficGenerator generate(IpAddress[] destinations);

    /** Waits a number of milliseconds while both hosts continue; an interrupt ends it early. */
    abstract void rest(long millis);

    /** Returns the number of frames that the right host has received, pings included. */
    abstract long delivered();

    /** Returns the name of the router. */
    final String name()
    {
        return name;
    }

    /** Adds a resource, which is closed before those added earlier; returns it. */
    final <T extends AutoCloseable> T keep(final T resource)
    {
        resources.push(resource);
        return resource;
    }

    /** Opens the counters of the router, which must run. */
    final void openCounters()
    {
        counters = keep(CountersFileReader.open(CountersFile.directoryOf(name)));
    }

    /** Returns the router's counters. */
    final FateReport fates()
    {
        return FateReport.of(counters.counters());
    }

    /** Starts to send UDP from the left host, one frame to each destination in turn. */
    final void startFlood(final IpAddress[] destinations)
    {
        flood = generate(destinations);
    }

    /** Stops the flood and waits for its end; returns the number of frames that the left host has sent. */
    final long stopFlood()
    {
        flood.close();
        final long sent = flood.sent();
        flood = null;
        return sent;
    }

    /** Stops the router and releases all resources. */
    @Override
    public final void close()
    {
        if (flood != null)
        {
            stopFlood();
        }
        while (!resources.isEmpty())
        {
            try
            {
                resources.pop().close();
            }
            catch (final Exception ex)
            {
                throw new UserException("could not clean up: " + ex.getMessage(), ex);
            }
        }
    }
}

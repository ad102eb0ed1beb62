package org.fibnuma.ipnuma.endpoint;

import org.agrona.collections.Int2ObjectHashMap;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.MacAddress;
import org.fibnuma.ipnuma.channel.PeerChannel;
import org.fibnuma.ipnuma.fate.EndpointCounter;
import org.fibnuma.ipnuma.fate.EndpointCounters;
import org.fibnuma.ipnuma.session.timing.Deadline;
import org.fibnuma.ipnuma.session.timing.DeadlineHeap;
import org.fibnuma.ipnuma.table.Peer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * The MAC addresses of next hops: of peers on the same network and of the gateway. Each is requested by ARP until it is
 * answered, and then verified every {@link #TRUST_NS}. It is removed if {@link #PATIENCE} requests are not answered.
 * Configured MAC addresses are not resolved. A next hop that does not answer is logged once, and once when it answers
 * again. Endpoint's thread.
 */
final class ArpTable
{
    /** First interval between requests; doubles up to {@link #MAX_WAIT_NS}. */
    static final long MIN_WAIT_NS = TimeUnit.MILLISECONDS.toNanos(20);
    static final long MAX_WAIT_NS = TimeUnit.SECONDS.toNanos(2);
    /** Equals Linux's average time that a neighbour is reachable (base_reachable_time_ms). */
    static final long TRUST_NS = TimeUnit.SECONDS.toNanos(30);
    /** Requests without an answer after which a MAC address is removed, as in Linux (mcast_solicit). */
    static final int PATIENCE = 3;
    /** Requests of one duty cycle. Thousands of peers are resolved over several cycles, so that no ring fills up. */
    static final int MAX_REQUESTS = 16;

    private static final Logger LOGGER = LoggerFactory.getLogger(ArpTable.class);
    /** Maximum number of peers behind one gateway that a log line lists. More are only counted. */
    private static final int LISTED = 4;

    private final Int2ObjectHashMap<Entry> entries = new Int2ObjectHashMap<>();
    private final DeadlineHeap<Entry> requests = new DeadlineHeap<>();
    private final ArpOutput output;
    private final EndpointCounters counters;

    ArpTable(final ArpOutput output, final EndpointCounters counters)
    {
        this.counters = counters;
        this.output = output;
    }

    /**
     * Adds a peer.
     *
     * @param nextHop  address of the peer or of the gateway.
     * @param isStatic whether the MAC address is configured and set in the peer.
     * @param peer     in which the MAC address is set once it is resolved.
     * @param channel  notified of changes.
     * @param nowNs    time of the duty cycle.
     */
    void add(
        final int nextHop, final boolean isStatic, final Peer peer, final PeerChannel channel, final long nowNs)
    {
        Entry entry = entries.get(nextHop);
        if (entry == null)
        {
            entry = new Entry(nextHop, isStatic);
            entries.put(nextHop, entry);
            if (!isStatic)
            {
                requests.set(entry, nowNs);
            }
        }
        entry.peers.add(peer);
        entry.channels.add(channel);
        if (entry.mac != Peer.NO_MAC)
        {
            peer.mac(entry.mac);
            channel.onMacChange();
        }
    }

    /** Removes a peer by its next hop and its channel. A next hop without peers is removed too. */
    void remove(final int nextHop, final PeerChannel channel)
    {
        final Entry entry = entries.get(nextHop);
        final int index = entry.channels.indexOf(channel);
        entry.channels.remove(index);
        entry.peers.remove(index);
        if (entry.peers.isEmpty())
        {
            entries.remove(nextHop);
            requests.remove(entry);
        }
    }

    void onSender(final int ipv4, final long mac, final long nowNs)
    {
        final Entry entry = entries.get(ipv4);
        if (entry != null && !entry.isStatic)
        {
            requests.set(entry, nowNs + TRUST_NS);
            entry.waitNs = MIN_WAIT_NS;
            entry.unanswered = 0;
            entry.set(mac);
            if (entry.isMissed)
            {
                entry.isMissed = false;
                LOGGER.info("MAC address {} answers for {}", MacAddress.format(mac), Ipv4Address.format(ipv4));
            }
        }
    }

    /** Restores the schedule of requests after an error has interrupted any other method. */
    void restart()
    {
        requests.restore(entries.values().stream().filter(entry -> !entry.isStatic).toList());
    }

    /** Sends the requests that are due, at most {@link #MAX_REQUESTS}. */
    void poll(final long nowNs)
    {
        for (int i = 0; i < MAX_REQUESTS; i++)
        {
            final Entry entry = requests.takeDue(nowNs);
            if (entry == null)
            {
                return;
            }
            requestMac(entry, nowNs);
        }
    }

    private void requestMac(final Entry entry, final long nowNs)
    {
        if (entry.mac != Peer.NO_MAC && entry.unanswered >= PATIENCE)
        {
            entry.set(Peer.NO_MAC);
        }
        output.request(entry.ipv4);
        if (entry.mac == Peer.NO_MAC)
        {
            counters.add(EndpointCounter.UNRESOLVED, 1);
        }
        if (++entry.unanswered == PATIENCE)
        {
            entry.isMissed = true;
            LOGGER.warn("no host answers ARP for {}, the next hop to {}; requests continue",
                Ipv4Address.format(entry.ipv4), entry.peerNames());
        }
        requests.set(entry, nowNs + entry.waitNs);
        entry.waitNs = Math.min(2 * entry.waitNs, MAX_WAIT_NS);
    }

    private static final class Entry extends Deadline
    {
        private final int ipv4;
        private final boolean isStatic;
        private final List<Peer> peers = new ArrayList<>();
        private final List<PeerChannel> channels = new ArrayList<>();
        private long mac = Peer.NO_MAC;
        private long waitNs = MIN_WAIT_NS;
        private int unanswered;
        private boolean isMissed;

        Entry(final int ipv4, final boolean isStatic)
        {
            this.ipv4 = ipv4;
            this.isStatic = isStatic;
        }

        String peerNames()
        {
            return peers.size() > LISTED ? peers.size() + " peers" :
                peers.stream().map(peer -> "peer " + peer).collect(Collectors.joining(", "));
        }

        void set(final long newMac)
        {
            if (mac != newMac)
            {
                mac = newMac;
                for (int i = 0; i < peers.size(); i++)
                {
                    peers.get(i).mac(newMac);
                    channels.get(i).onMacChange();
                }
            }
        }
    }
}

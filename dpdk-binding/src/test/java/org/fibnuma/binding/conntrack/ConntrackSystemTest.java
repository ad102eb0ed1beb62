package org.fibnuma.binding.conntrack;

import org.fibnuma.binding.conntrack.ConntrackEvents.Kind;
import org.fibnuma.binding.libc.Errno;
import org.fibnuma.binding.libc.NetworkNamespace;
import org.fibnuma.core.Require;
import org.fibnuma.core.flow.FlowTuple;
import org.fibnuma.core.wire.IcmpHeaderFlyweight;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpProtocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Real connections through the kernel's filter and masquerade. */
@Timeout(120)
class ConntrackSystemTest
{
    private static final int PORT = 8080;
    private static final Set<Kind> ALL = EnumSet.allOf(Kind.class);
    private static final Set<Kind> CHANGES = EnumSet.of(Kind.UPDATE, Kind.DESTROY);
    private static final int RECEIVE_BUFFER_LENGTH = 8 * 1024 * 1024;
    private static final int DATAGRAMS = 64;
    private static final Pattern TIMEOUT = Pattern.compile("(?:tcp|udp) +\\d+ (\\d+) ");

    private final List<Event> seen = new ArrayList<>();
    private ConntrackBed bed;
    private ConntrackEvents events;
    private Conntrack conntrack;

    @BeforeEach
    void open()
    {
        Require.root();
        Require.program("ip", "iproute2");
        Require.program("nft", "nftables");
        Require.program("conntrack", "conntrack");
        bed = new ConntrackBed();
        conntrack = bed.inRouter(Conntrack::new);
    }

    @AfterEach
    void close()
    {
        if (events != null)
        {
            events.close();
        }
        if (conntrack != null)
        {
            conntrack.close();
        }
        if (bed != null)
        {
            bed.close();
        }
    }

    @Test
    void shouldFollowATcpConnection() throws IOException
    {
        listen(ALL);
        try (ServerSocketChannel server = tcpServer(); SocketChannel client = tcpClient())
        {
            client.connect(new InetSocketAddress(ConntrackBed.SERVER, PORT));
            server.accept().close();
            final int port = ((InetSocketAddress)client.getLocalAddress()).getPort();
            final FlowTuple original = tuple(ConntrackBed.CLIENT, ConntrackBed.SERVER, IpProtocol.TCP, port, PORT);
            final FlowTuple reply = tuple(ConntrackBed.SERVER, ConntrackBed.MASQUERADE, IpProtocol.TCP, PORT, port);

            final ConntrackEntry first = awaitEvent(Kind.NEW, entry -> entry.original().equals(original)).entry;
            assertEquals(reply, first.reply());
            assertEquals(ConntrackEntry.CONFIRMED | ConntrackEntry.SRC_NAT,
                first.status() & (ConntrackEntry.CONFIRMED | ConntrackEntry.SRC_NAT | ConntrackEntry.DST_NAT |
                ConntrackEntry.SEEN_REPLY | ConntrackEntry.ASSURED));
            assertEquals(1L << ConntrackBed.LOW_LABEL, first.labelsLow());
            assertEquals(1L << ConntrackBed.HIGH_LABEL - Long.SIZE, first.labelsHigh());

            final Event established = awaitEvent(
                Kind.UPDATE, entry -> entry.tcpState() == ConntrackEntry.TCP_ESTABLISHED);
            assertEquals(first.id(), established.entry.id());
            assertNotEquals(0, established.entry.status() & ConntrackEntry.ASSURED);
            assertTrue(established.entry.timeoutSeconds() > 400_000);

            bed.conntrack("-D -p tcp");
            final ConntrackEntry last = awaitEvent(Kind.DESTROY, entry -> entry.id() == first.id()).entry;
            assertEquals(original, last.original());
            assertEquals(reply, last.reply());
            assertNull(conntrack.get(original, 0));
        }
    }

    @Test
    void shouldFollowIpv6WithoutNewEntries() throws IOException
    {
        listen(CHANGES);
        try (DatagramChannel server = udp(bed.server(), StandardProtocolFamily.INET6);
            DatagramChannel client = udp(bed.client(), StandardProtocolFamily.INET6))
        {
            echo(client, server, ConntrackBed.SERVER_IPV6);

            final ConntrackEntry entry = awaitEvent(Kind.UPDATE, any -> any.original().isIpv6()).entry;
            assertEquals(tuple(ConntrackBed.CLIENT_IPV6, ConntrackBed.SERVER_IPV6, IpProtocol.UDP, port(client), PORT),
                entry.original());
            assertEquals(entry.original().inverse(), entry.reply());
            assertNotEquals(0, entry.status() & ConntrackEntry.SEEN_REPLY);
            assertEquals(entry.id(), conntrack.get(entry.original(), 0).id());
            assertEquals(entry.id(), conntrack.get(entry.reply(), 0).id());
            assertTrue(seen.stream().noneMatch(event -> event.kind == Kind.NEW));
            bed.conntrack("-D -f ipv6");
            awaitEvent(Kind.DESTROY, any -> any.id() == entry.id());
        }
    }

    @Test
    void shouldReadQueriesOfIcmp()
    {
        Require.program("ping", "iputils-ping");
        listen(ALL);
        bed.in(bed.client(), "ping -c 1 -W 10 " + ConntrackBed.SERVER);
        bed.in(bed.client(), "ping -c 1 -W 10 " + ConntrackBed.SERVER_IPV6);

        final ConntrackEntry v4 = awaitEvent(
            Kind.NEW, entry -> entry.original().protocol() == IpProtocol.ICMP).entry;
        assertEquals(IcmpHeaderFlyweight.TYPE_ECHO_REQUEST, v4.original().icmpType());
        assertEquals(IcmpHeaderFlyweight.TYPE_ECHO_REPLY, v4.reply().icmpType());
        assertEquals(v4.original(), conntrack.get(v4.original(), 0).original());
        final ConntrackEntry v6 = awaitEvent(Kind.NEW, entry ->
            entry.original().protocol() == IpProtocol.ICMPV6 &&
            entry.original().equals(tupleOf(entry.original(), ConntrackBed.CLIENT_IPV6, ConntrackBed.SERVER_IPV6)))
            .entry;
        assertEquals(v6.original().inverse(), v6.reply());
        assertEquals(v6.original(), conntrack.get(v6.reply(), 0).original());
    }

    @Test
    void shouldRefreshATcpConnection() throws IOException
    {
        listen(ALL);
        try (ServerSocketChannel server = tcpServer(); SocketChannel client = tcpClient())
        {
            client.connect(new InetSocketAddress(ConntrackBed.SERVER, PORT));
            final SocketChannel accepted = server.accept();
            final ConntrackEntry entry = awaitEvent(
                Kind.UPDATE, any -> any.tcpState() == ConntrackEntry.TCP_ESTABLISHED).entry;
            assertEquals(0, conntrack.get(entry.original(), 0).originalTcpFlags() & ConntrackEntry.TCP_BE_LIBERAL);

            final ConntrackBatch batch = conntrack.newBatch();
            batch.addRefresh(entry.original(), 0, 7777);
            assertEquals(0, batch.send(ConntrackSystemTest::fail));

            awaitEvent(Kind.UPDATE, any -> any.originalTcpFlags() != ConntrackEntry.ABSENT &&
                (any.originalTcpFlags() & ConntrackEntry.TCP_BE_LIBERAL) != 0);
            final ConntrackEntry now = conntrack.get(entry.original(), 0);
            assertEquals(ConntrackEntry.TCP_BE_LIBERAL,
                now.originalTcpFlags() & (ConntrackEntry.TCP_BE_LIBERAL | ConntrackEntry.TCP_MAXACK_SET));
            assertEquals(ConntrackEntry.TCP_BE_LIBERAL,
                now.replyTcpFlags() & (ConntrackEntry.TCP_BE_LIBERAL | ConntrackEntry.TCP_MAXACK_SET));
            assertEquals(ConntrackEntry.TCP_ESTABLISHED, now.tcpState());
            final int listed = timeout(bed.conntrack("-L -p tcp"));
            assertTrue(listed > 7600 && listed <= 7777, "timeout " + listed);
            accepted.close();
        }
    }

    @Test
    void shouldNotReportTheChangesOfTheIgnoredSocket()
    {
        try (Conntrack other = bed.inRouter(Conntrack::new))
        {
            listen(CHANGES, conntrack.portId());
            final FlowTuple tuple = tuple("192.0.2.9", "203.0.113.9", IpProtocol.UDP, 1000, 53);
            insert(tuple, "");
            refresh(conntrack, tuple, 501);
            refresh(other, tuple, 502);
            awaitEvent(Kind.UPDATE, entry -> entry.original().equals(tuple) && entry.timeoutSeconds() == 502);
            assertTrue(seen.stream().noneMatch(event -> event.entry.timeoutSeconds() == 501), seen::toString);
        }
    }

    private static void refresh(final Conntrack socket, final FlowTuple tuple, final int timeoutSeconds)
    {
        final ConntrackBatch batch = socket.newBatch();
        batch.addRefresh(tuple, 0, timeoutSeconds);
        assertEquals(0, batch.send(ConntrackSystemTest::fail));
    }

    @Test
    void shouldRefreshManyAndNameTheRefused()
    {
        final FlowTuple there = tuple("192.0.2.9", "203.0.113.9", IpProtocol.UDP, 1000, 53);
        final FlowTuple fixed = tuple("192.0.2.9", "203.0.113.9", IpProtocol.UDP, 1001, 53);
        final FlowTuple gone = tuple("192.0.2.9", "203.0.113.9", IpProtocol.UDP, 1002, 53);
        insert(there, "");
        insert(fixed, " -u FIXED_TIMEOUT");
        insert(gone, "");
        bed.conntrack("-D -p udp --sport 1002");
        final ConntrackBatch batch = conntrack.newBatch();
        assertEquals(0, batch.send(ConntrackSystemTest::fail));

        assertEquals(0, batch.addRefresh(gone, 0, 500));
        assertEquals(1, batch.addRefresh(there, 0, 501));
        assertNotNull(conntrack.get(there, 0));
        assertEquals(2, batch.addRefresh(fixed, 0, 502));
        assertEquals(3, batch.addLabelRemoval(there, 0, 0, 1));
        assertEquals(4, batch.addRefresh(there, 0, 503));
        assertEquals(5, batch.size());

        final TreeMap<Integer, Integer> refused = new TreeMap<>();
        assertEquals(3, batch.send(refused::put));
        assertEquals(Set.of(0, 2, 3), refused.keySet());
        assertEquals(Errno.ENOENT.number(), refused.get(0));
        assertEquals(Errno.EPERM.number(), refused.get(2));
        assertEquals(Errno.ENOSPC.number(), refused.get(3));
        assertEquals(0, batch.size());
        final int timeoutSeconds = conntrack.get(there, 0).timeoutSeconds();
        assertTrue(timeoutSeconds > 400 && timeoutSeconds <= 503, "timeout " + timeoutSeconds);

        int added = 0;
        while (!batch.isFull())
        {
            batch.addRefresh(gone, 0, 500);
            added++;
        }
        final List<Integer> indexes = new ArrayList<>();
        assertEquals(added, batch.send((index, errno) -> indexes.add(index)));
        assertEquals(added - 1, indexes.get(added - 1));
        assertTrue(added > 500, added + " in a batch");
    }

    @Test
    void shouldRemoveLabels() throws IOException
    {
        listen(ALL);
        try (DatagramChannel server = udp(bed.server(), StandardProtocolFamily.INET);
            DatagramChannel client = udp(bed.client(), StandardProtocolFamily.INET))
        {
            echo(client, server, ConntrackBed.SERVER);
            final FlowTuple tuple = awaitEvent(
                Kind.NEW, entry -> entry.original().protocol() == IpProtocol.UDP).entry.original();
            assertEquals(1L << ConntrackBed.LOW_LABEL, conntrack.get(tuple, 0).labelsLow());
            final ConntrackBatch batch = conntrack.newBatch();

            batch.addLabelRemoval(tuple, 0, 0, -1);
            assertEquals(0, batch.send(ConntrackSystemTest::fail));
            assertEquals(0, conntrack.get(tuple, 0).labelsLow());
            assertEquals(1L << ConntrackBed.HIGH_LABEL - Long.SIZE, conntrack.get(tuple, 0).labelsHigh());

            batch.addLabelRemoval(tuple, 0, 1L << ConntrackBed.HIGH_LABEL - Long.SIZE, 0);
            assertEquals(0, batch.send(ConntrackSystemTest::fail));
            assertFalse(conntrack.get(tuple, 0).hasLabels());
        }
    }

    @Test
    void shouldListByStatus()
    {
        insert(tuple("192.0.2.9", "203.0.113.9", IpProtocol.UDP, 1, 53), "");
        insert(tuple("192.0.2.9", "203.0.113.9", IpProtocol.UDP, 2, 53), " -u ASSURED");
        insert(tuple("2001:db8::9", "2001:db8:9::9", IpProtocol.UDP, 3, 53), " -u ASSURED,SEEN_REPLY");

        assertEquals(Set.of(1, 2, 3), ports(0, 0));
        assertEquals(Set.of(2, 3), ports(ConntrackEntry.ASSURED, ConntrackEntry.ASSURED));
        assertEquals(Set.of(1), ports(ConntrackEntry.ASSURED, 0));
        assertEquals(Set.of(2),
            ports(ConntrackEntry.ASSURED | ConntrackEntry.SEEN_REPLY, ConntrackEntry.ASSURED));
        assertEquals(Set.of(), ports(ConntrackEntry.OFFLOAD, ConntrackEntry.OFFLOAD));
    }

    @Test
    void shouldTellZonesApart()
    {
        final FlowTuple both = tuple("192.0.2.9", "203.0.113.9", IpProtocol.UDP, 1, 53);
        final FlowTuple one = tuple("192.0.2.9", "203.0.113.9", IpProtocol.UDP, 2, 53);
        insert(both, " --zone 7");
        insert(one, " --orig-zone 8");

        assertNull(conntrack.get(both, 0));
        assertEquals(7, conntrack.get(both, 7).zone());
        assertFalse(conntrack.get(both, 7).hasDirectionalZone());
        final ConntrackBatch batch = conntrack.newBatch();
        batch.addRefresh(both, 7, 4000);
        assertEquals(0, batch.send(ConntrackSystemTest::fail));
        assertTrue(conntrack.get(both, 7).timeoutSeconds() > 3000);
        final List<ConntrackEntry> entries = new ArrayList<>();
        conntrack.dump(0, 0, entries::add);
        assertTrue(entries.stream().anyMatch(
            entry -> entry.original().equals(one) && entry.hasDirectionalZone() && entry.zone() == 0));
    }

    /**
     * With nf_conntrack_events=2, the default, an entry that is older than the first listener on the machine, in any
     * namespace, has no events.
     */
    @Test
    void shouldReportEntriesSinceTheFirstListener()
    {
        final FlowTuple older = tuple("192.0.2.9", "203.0.113.9", IpProtocol.UDP, 1, 53);
        final FlowTuple newer = tuple("192.0.2.9", "203.0.113.9", IpProtocol.UDP, 2, 53);
        insert(older, "");
        listen(ALL);
        insert(newer, "");
        final ConntrackBatch batch = conntrack.newBatch();
        batch.addRefresh(older, 0, 400);
        batch.addRefresh(newer, 0, 400);
        assertEquals(0, batch.send(ConntrackSystemTest::fail));
        bed.conntrack("-D -p udp --sport 1");
        bed.conntrack("-D -p udp --sport 2");

        awaitEvent(Kind.DESTROY, entry -> entry.original().equals(newer));
        assertEquals(List.of(Kind.NEW, Kind.UPDATE, Kind.DESTROY), seen.stream()
            .filter(event -> event.entry.original().equals(newer)).map(event -> event.kind).toList());
        assertTrue(seen.stream().noneMatch(
            event -> event.kind == Kind.NEW && event.entry.original().equals(older)), seen::toString);
    }

    @Test
    void shouldReportLossesUntilNothingWaits() throws IOException
    {
        bed.loadRules();
        events = bed.inRouter(() -> new ConntrackEvents(ALL, ConntrackEvents.NO_SOCKET, 1));
        assertEquals(0, events.poll(this::onEvent, DATAGRAMS));
        try (DatagramChannel client = udp(bed.client(), StandardProtocolFamily.INET))
        {
            send(client, 100, 200);
            ConntrackBed.await("loss", () -> events.poll(this::onEvent, 1) == ConntrackEvents.LOST);
            ConntrackBed.await("end of the loss", () -> events.poll(this::onEvent, 1) == 0);
            final List<Integer> known = new ArrayList<>();
            conntrack.dump(0, 0, entry -> known.add(entry.original().destinationPort()));
            assertTrue(known.contains(100) && known.contains(299), known.toString());

            send(client, 1000, 1);
            awaitEvent(Kind.NEW, entry -> entry.original().destinationPort() == 1000);

            bed.conntrack("-D -p udp --dport 1000");
            awaitEvent(Kind.DESTROY, entry -> entry.original().destinationPort() == 1000);
        }
    }

    /** NETLINK_BROADCAST_ERROR: the kernel repeats the end of an entry that the socket had no room for. */
    @Test
    void shouldReceiveEveryEndDespiteLosses() throws IOException
    {
        bed.loadRules();
        events = bed.inRouter(() -> new ConntrackEvents(CHANGES, ConntrackEvents.NO_SOCKET, 1));
        try (DatagramChannel client = udp(bed.client(), StandardProtocolFamily.INET))
        {
            send(client, 100, 50);
            ConntrackBed.await("entries", () -> bed.conntrack("-C").trim().equals("50"));
            bed.conntrack("-F");
            ConntrackBed.await("loss", () -> events.poll(this::onEvent, 1) == ConntrackEvents.LOST);
            ConntrackBed.await("all ends", () ->
            {
                events.poll(this::onEvent, 1);
                return seen.stream().filter(event -> event.kind == Kind.DESTROY)
                    .map(event -> event.entry.original()).distinct().count() == 50;
            });
        }
    }

    /** More tuples than one request has room for, of which every second one has no entry. */
    @Test
    void shouldReadManyEntriesAtOnce() throws IOException
    {
        bed.loadRules();
        final int count = 1500;
        final List<FlowTuple> tuples = new ArrayList<>();
        try (DatagramChannel client = udp(bed.client(), StandardProtocolFamily.INET))
        {
            send(client, 1000, count);
            for (int port = 1000; port < 1000 + count; port++)
            {
                tuples.add(tuple(ConntrackBed.CLIENT, ConntrackBed.SERVER, IpProtocol.UDP, port(client), port));
                tuples.add(tuple(ConntrackBed.CLIENT, ConntrackBed.SERVER, IpProtocol.TCP, port(client), port));
            }
        }
        final List<Integer> indexes = new ArrayList<>();
        conntrack.get(tuples, 0, (entry, index) ->
        {
            assertEquals(tuples.get(index), entry.original());
            indexes.add(index);
        });
        assertEquals(IntStream.range(0, count).map(i -> 2 * i).boxed().toList(), indexes);
    }

    private void listen(final Set<Kind> kinds)
    {
        listen(kinds, ConntrackEvents.NO_SOCKET);
    }

    private void listen(final Set<Kind> kinds, final int ignoredPortId)
    {
        events = bed.inRouter(() -> new ConntrackEvents(kinds, ignoredPortId, RECEIVE_BUFFER_LENGTH));
        bed.loadRules();
    }

    private void onEvent(final Kind kind, final ConntrackEntry entry)
    {
        seen.add(new Event(kind, entry));
    }

    private Event awaitEvent(final Kind kind, final Predicate<ConntrackEntry> condition)
    {
        final List<Event> found = new ArrayList<>();
        ConntrackBed.await(kind + ", seen: " + seen, () ->
        {
            assertNotEquals(ConntrackEvents.LOST, events.poll(this::onEvent, DATAGRAMS));
            seen.stream().filter(event -> event.kind == kind && condition.test(event.entry)).forEach(found::add);
            return !found.isEmpty();
        });
        return found.get(0);
    }

    private Set<Integer> ports(final int statusMask, final int statusValue)
    {
        final List<ConntrackEntry> entries = new ArrayList<>();
        conntrack.dump(statusMask, statusValue, entries::add);
        return entries.stream().map(entry -> entry.original().sourcePort()).collect(Collectors.toSet());
    }

    private void insert(final FlowTuple tuple, final String options)
    {
        bed.conntrack("-I -p udp -s " + IpAddress.format(tuple.sourceHigh(), tuple.sourceLow()) + " -d " +
            IpAddress.format(tuple.destinationHigh(), tuple.destinationLow()) + " --sport " + tuple.sourcePort() +
            " --dport " + tuple.destinationPort() + " -t 300" + options);
    }

    private ServerSocketChannel tcpServer()
    {
        return NetworkNamespace.call(bed.server(), () ->
        {
            try
            {
                return ServerSocketChannel.open(StandardProtocolFamily.INET).bind(new InetSocketAddress(PORT));
            }
            catch (final IOException ex)
            {
                throw new UncheckedIOException(ex);
            }
        });
    }

    private SocketChannel tcpClient()
    {
        return NetworkNamespace.call(bed.client(), () ->
        {
            try
            {
                return SocketChannel.open(StandardProtocolFamily.INET);
            }
            catch (final IOException ex)
            {
                throw new UncheckedIOException(ex);
            }
        });
    }

    /** A socket with the port of the server in the server's namespace, any port otherwise. */
    private DatagramChannel udp(final String namespace, final ProtocolFamily family)
    {
        return NetworkNamespace.call(namespace, () ->
        {
            try
            {
                return DatagramChannel.open(family).bind(
                    new InetSocketAddress(namespace.equals(bed.server()) ? PORT : 0));
            }
            catch (final IOException ex)
            {
                throw new UncheckedIOException(ex);
            }
        });
    }

    private static void echo(final DatagramChannel client, final DatagramChannel server, final String address)
        throws IOException
    {
        client.send(ByteBuffer.wrap(new byte[]{1}), new InetSocketAddress(address, PORT));
        final ByteBuffer buffer = ByteBuffer.allocate(8);
        server.send(ByteBuffer.wrap(new byte[]{2}), server.receive(buffer));
        client.receive(buffer);
    }

    /** Sends a datagram to each of some ports of an address behind the server, where nobody answers. */
    private static void send(final DatagramChannel client, final int firstPort, final int count) throws IOException
    {
        for (int port = firstPort; port < firstPort + count; port++)
        {
            client.send(ByteBuffer.wrap(new byte[]{1}), new InetSocketAddress(ConntrackBed.SERVER, port));
        }
    }

    private static int port(final DatagramChannel channel) throws IOException
    {
        return ((InetSocketAddress)channel.getLocalAddress()).getPort();
    }

    private static int timeout(final String listing)
    {
        final Matcher matcher = TIMEOUT.matcher(listing);
        assertTrue(matcher.find(), listing);
        return Integer.parseInt(matcher.group(1));
    }

    private static FlowTuple tupleOf(final FlowTuple tuple, final String source, final String destination)
    {
        return tuple(source, destination, tuple.protocol(), tuple.sourcePort(), tuple.destinationPort());
    }

    private static FlowTuple tuple(final String source, final String destination, final int protocol,
        final int sourcePort, final int destinationPort)
    {
        final IpAddress from = IpAddress.parse(source);
        final IpAddress to = IpAddress.parse(destination);
        return new FlowTuple(from.high(), from.low(), to.high(), to.low(), protocol, sourcePort, destinationPort);
    }

    private static void fail(final int index, final int errno)
    {
        throw new AssertionError("change " + index + ": " + Errno.text(errno));
    }

    private record Event(Kind kind, ConntrackEntry entry)
    {
    }
}

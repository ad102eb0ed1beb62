package org.fibnuma.bench.scale;

import org.fibnuma.binding.libc.NetworkNamespace;
import org.fibnuma.core.service.netns.Host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * UDP flows from one host to another, each at a steady rate, whose packets have numbers. Each flow has a socket of its
 * own at either end, so that a pause of the reading thread loses no packet of a slow flow.
 */
final class NumberedFlows implements AutoCloseable
{
    /** Range in tcpdump's words; each flow has a port of its own. */
    static final String DESTINATION_PORTS = "40000-49999";

    private static final int FIRST_SOURCE_PORT = 20_000;
    private static final int FIRST_DESTINATION_PORT = 40_000;
    /** So long that the receive ring of a router holds what comes in a second in which no thread of it runs. */
    private static final long INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(25);
    /** The last packets have arrived when none has for so long. */
    private static final long SILENCE_NS = TimeUnit.SECONDS.toNanos(1);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int RECEIVE_BUFFER = 1 << 20;

    private final List<Flow> flows = new ArrayList<>();
    private final Selector selector;
    private final Thread sender = new Thread(this::send, "sender");
    private final Thread receiver = new Thread(this::receive, "receiver");
    private volatile boolean isSending = true;
    private volatile boolean isReceiving = true;

    private NumberedFlows() throws IOException
    {
        selector = Selector.open();
    }

    /**
     * Starts to send.
     *
     * @param from         host that sends.
     * @param to           host that receives.
     * @param destinations its addresses.
     * @param flowsOfEach  flows to each address, 40 packets a second each.
     */
    static NumberedFlows start(
        final Host from, final Host to, final List<String> destinations, final int flowsOfEach) throws IOException
    {
        final NumberedFlows numbered = new NumberedFlows();
        for (final String destination : destinations)
        {
            for (int i = 0; i < flowsOfEach; i++)
            {
                final int port = FIRST_DESTINATION_PORT + numbered.flows.size();
                numbered.flows.add(new Flow(
                    open(from, wildcard(destination), FIRST_SOURCE_PORT + numbered.flows.size()),
                    open(to, destination, port),
                    new InetSocketAddress(destination, port)));
            }
        }
        for (final Flow flow : numbered.flows)
        {
            flow.to.register(numbered.selector, SelectionKey.OP_READ, flow);
        }
        numbered.receiver.start();
        numbered.sender.start();
        return numbered;
    }

    private static String wildcard(final String address)
    {
        return address.contains(":") ? "::" : "0.0.0.0";
    }

    private static DatagramChannel open(final Host host, final String address, final int port)
    {
        return NetworkNamespace.call(host.namespaceFile(), () ->
        {
            try
            {
                final DatagramChannel channel = DatagramChannel.open(
                    address.contains(":") ? StandardProtocolFamily.INET6 : StandardProtocolFamily.INET);
                channel.setOption(StandardSocketOptions.SO_RCVBUF, RECEIVE_BUFFER);
                channel.bind(new InetSocketAddress(address, port)).configureBlocking(false);
                return channel;
            }
            catch (final IOException ex)
            {
                throw new UncheckedIOException(ex);
            }
        });
    }

    private void send()
    {
        final ByteBuffer packet = ByteBuffer.allocate(Integer.BYTES);
        long nextNs = System.nanoTime();
        while (isSending)
        {
            flows.forEach(flow -> flow.send(packet));
            final long nowNs = System.nanoTime();
            nextNs = Math.max(nowNs, nextNs + INTERVAL_NS);
            LockSupport.parkNanos(nextNs - nowNs);
        }
    }

    private void receive()
    {
        final ByteBuffer packet = ByteBuffer.allocate(Integer.BYTES);
        try
        {
            while (isReceiving)
            {
                selector.select(key -> ((Flow)key.attachment()).receive(packet), 100);
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** Waits until every flow has delivered some more packets. */
    void awaitArrivals(final int count)
    {
        final int[] wanted = flows.stream().mapToInt(flow -> flow.arrived + count).toArray();
        final long deadline = System.nanoTime() + PATIENCE.toNanos();
        for (int i = 0; i < wanted.length; i++)
        {
            final Flow flow = flows.get(i);
            while (flow.arrived < wanted[i])
            {
                assertTrue(System.nanoTime() < deadline, () -> "no more packets of " + flow.result());
                LockSupport.parkNanos(INTERVAL_NS);
            }
        }
    }

    /** Ends the flows, waits for the last packets and returns what became of each flow, in the order of the start. */
    List<FlowResult> end() throws InterruptedException
    {
        isSending = false;
        sender.join();
        while (flows.stream().anyMatch(flow -> System.nanoTime() - flow.lastArrivalNs < SILENCE_NS))
        {
            LockSupport.parkNanos(INTERVAL_NS);
        }
        isReceiving = false;
        receiver.join();
        return flows.stream().map(Flow::result).toList();
    }

    @Override
    public void close() throws IOException
    {
        isSending = false;
        isReceiving = false;
        LockSupport.unpark(sender);
        selector.close();
        for (final Flow flow : flows)
        {
            flow.from.close();
            flow.to.close();
        }
    }

    /** One flow; the sending thread writes its first fields, the receiving thread the others. */
    private static final class Flow
    {
        private final DatagramChannel from;
        private final DatagramChannel to;
        private final InetSocketAddress destination;
        private int sent;

        private final BitSet numbers = new BitSet();
        private volatile int arrived;
        private volatile long lastArrivalNs = System.nanoTime();
        private long longestGapNs;

        Flow(final DatagramChannel from, final DatagramChannel to, final InetSocketAddress destination)
        {
            this.from = from;
            this.to = to;
            this.destination = destination;
        }

        /** A packet that the sending host cannot send counts as lost. */
        void send(final ByteBuffer packet)
        {
            packet.clear().putInt(sent++).flip();
            try
            {
                from.send(packet, destination);
            }
            catch (final IOException ignore)
            {
                // It has a number that does not arrive.
            }
        }

        void receive(final ByteBuffer packet)
        {
            try
            {
                while (to.receive(packet.clear()) != null)
                {
                    final long nowNs = System.nanoTime();
                    numbers.set(packet.flip().getInt());
                    if (arrived > 0)
                    {
                        longestGapNs = Math.max(longestGapNs, nowNs - lastArrivalNs);
                    }
                    lastArrivalNs = nowNs;
                    arrived++;
                }
            }
            catch (final IOException ex)
            {
                throw new UncheckedIOException(ex);
            }
        }

        FlowResult result()
        {
            return new FlowResult(
                destination.getAddress().getHostAddress(), destination.getPort(), sent,
                sent - numbers.cardinality(), arrived - numbers.cardinality(),
                TimeUnit.NANOSECONDS.toMillis(longestGapNs));
        }
    }

    /**
     * What became of a flow.
     *
     * @param destination  address that it was sent to.
     * @param port         port that it was sent to, which no other flow has.
     * @param sent         number of packets.
     * @param lost         those that did not arrive.
     * @param duplicates   packets that arrived more than once.
     * @param longestGapMs longest time between two arrivals.
     */
    record FlowResult(String destination, int port, int sent, int lost, int duplicates, long longestGapMs)
    {
    }
}

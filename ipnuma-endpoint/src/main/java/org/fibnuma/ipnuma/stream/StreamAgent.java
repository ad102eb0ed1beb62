package org.fibnuma.ipnuma.stream;

import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.UnsafeBuffer;
import org.fibnuma.core.UserException;
import org.fibnuma.ipnuma.client.AnswerListener;
import org.fibnuma.ipnuma.client.ClientMessage;
import org.fibnuma.ipnuma.client.ClientStatus;
import org.fibnuma.ipnuma.client.EndpointClient;
import org.fibnuma.ipnuma.client.EndpointLostException;
import org.fibnuma.ipnuma.client.OwnRegion;
import org.fibnuma.ipnuma.memory.RegionMapping;
import org.fibnuma.ipnuma.table.RegionAccess;
import org.fibnuma.ipnuma.wire.ScatterList;

import java.io.IOException;
import java.net.BindException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The connections of a program. Opens and accepts them, and polls the program's region for stores of peers. One thread
 * at a time runs {@link #doWork} and uses the agent, its channels and its acceptors.
 */
public final class StreamAgent implements Agent
{
    /** First port of connecting ends. The number of the slot is added. */
    static final int FIRST_LOCAL_PORT = 49_152;

    private static final AtomicLong PROGRAMS = new AtomicLong();
    /** The clock is read in one of 8 duty cycles. A reading takes as long as half of a cycle. */
    private static final int CLOCK_MASK = 7;
    private static final long TICK_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final StreamSettings settings;
    private final StreamEvents events;
    private final StreamLayout layout;
    private final EndpointClient client;
    private final OwnRegion region;
    private final UnsafeBuffer memory;
    private final PortRegion ports;
    private final Connector connector;
    private final HelloSlots hellos;
    private final Slots slots;
    private final Links links;
    /** Contains the status during the store of a channel. */
    private final UnsafeBuffer status = new UnsafeBuffer(ByteBuffer.allocateDirect(SlotHeader.STATUS_LENGTH));
    /** Contains the list of stores during the call of a channel. */
    private final ScatterList message = new ScatterList(PeerSlot.MAX_MESSAGE);
    private final Queue<Link> busyLinks = new ArrayDeque<>();
    private final Map<Integer, StreamAcceptor> acceptors = new HashMap<>();
    private final AtomicLongArray counters = new AtomicLongArray(StreamCounter.values().length);
    private int cycles;
    /** Latest reading of the clock in ns. It is old if the agent was not run for long. */
    private long nowNs = System.nanoTime();
    private long tickNs = nowNs;
    private String lost;
    private boolean closed;

    private StreamAgent(final StreamSettings settings, final StreamEvents events)
    {
        this.settings = settings;
        this.events = events;
        this.layout = new StreamLayout(settings.connections(), settings.ringCapacity());
        this.client = EndpointClient.connect(settings.endpointDirectory(), new Answers(), settings.endpoint());
        OwnRegion added = null;
        try
        {
            added = client.addRegion(
                "streams-" + ProcessHandle.current().pid() + "-" + PROGRAMS.incrementAndGet(),
                layout.size(), RegionAccess.WRITE | RegionAccess.ATOMIC, settings.allow());
            final PortEntry own = new PortEntry(added.id(), added.key(), layout);
            this.ports = openPorts(own);
            this.region = added;
            this.memory = new UnsafeBuffer(region.memory().address(), (int)layout.size());
            this.connector = new Connector(this, client, ports.regionId(), settings.portRegionKey(), own);
        }
        catch (final RuntimeException ex)
        {
            CloseHelper.closeAll(added == null ? null : added.memory(), client);
            throw ex;
        }
        this.hellos = new HelloSlots(memory, this);
        this.slots = new Slots(layout, memory);
        this.links = new Links(client);
    }

    private PortRegion openPorts(final PortEntry own)
    {
        final RegionMapping mapping;
        try
        {
            mapping = client.region(settings.portRegion());
        }
        catch (final EndpointLostException ex)
        {
            throw ex;
        }
        catch (final UserException ex)
        {
            throw new UserException(ex.getMessage() + "; add to the endpoint's configuration: [[region]] name = \"" +
                settings.portRegion() + "\", size-kib = " + PortRegion.SIZE / 1024 + ", access = \"read\"", ex);
        }
        return new PortRegion(mapping, own);
    }

    /**
     * Connects to the local endpoint and adds the program's region there.
     *
     * @param settings of the program.
     * @param events   of its channels and acceptors.
     * @return the agent. The caller runs it and finally calls {@link #onClose}.
     * @throws UserException with the reason in one line.
     */
    public static StreamAgent open(final StreamSettings settings, final StreamEvents events)
    {
        return new StreamAgent(settings, events);
    }

    /**
     * Begins to connect. {@link StreamChannel#finishConnect} returns the result.
     *
     * @param remote    address of a listening program, with a port from 1 on.
     * @param timeoutNs until the attempt fails, more than 0.
     * @return the channel, which the caller closes.
     * @throws IOException if the endpoint is lost or all slots are in use.
     */
    public StreamChannel connect(final IpnumaSocketAddress remote, final long timeoutNs) throws IOException
    {
        requireEndpoint();
        if (remote.port() == 0)
        {
            throw new IllegalArgumentException("cannot connect to port 0");
        }
        final int slot = slots.allocate();
        if (slot < 0)
        {
            count(StreamCounter.NO_SLOT);
            throw new IOException("all " + layout.connections() + " connections of this program are in use");
        }
        final StreamChannel channel = new StreamChannel(this, slot, slots.nextTag(),
            new IpnumaSocketAddress(settings.pcId(), FIRST_LOCAL_PORT + slot), remote);
        slots.put(channel);
        nowNs = System.nanoTime();
        connector.connect(channel, nowNs + timeoutNs);
        return channel;
    }

    /**
     * Begins to connect, with the timeout of the settings.
     *
     * @param remote address of a listening program, with a port from 1 on.
     * @return the channel, which the caller closes.
     * @throws IOException if the endpoint is lost or all slots are in use.
     */
    public StreamChannel connect(final IpnumaSocketAddress remote) throws IOException
    {
        return connect(remote, settings.connectTimeoutNs());
    }

    /**
     * Listens on a port of the local endpoint.
     *
     * @param port    1 to 65,535, or 0 for any free port.
     * @param backlog maximum number of connections that wait for {@link StreamAcceptor#accept}, 1 or more. Further
     *                connecting programs try again until there is room.
     * @return the acceptor, which the caller closes.
     * @throws BindException if another program or this one listens on the port.
     * @throws IOException   if the endpoint is lost.
     */
    public StreamAcceptor listen(final int port, final int backlog) throws IOException
    {
        requireEndpoint();
        if (acceptors.containsKey(port))
        {
            throw new BindException("port " + port + " is in use by this program");
        }
        final IpnumaSocketAddress address = new IpnumaSocketAddress(settings.pcId(), ports.bind(port));
        final StreamAcceptor acceptor = new StreamAcceptor(this, address, Math.max(1, backlog));
        acceptors.put(address.port(), acceptor);
        return acceptor;
    }

    private void requireEndpoint() throws IOException
    {
        if (lost != null || closed)
        {
            throw new IOException(closed ? "the agent is closed" : lost);
        }
    }

    /** Returns why the endpoint is lost, or null. All connections have failed if it is lost. */
    public String lost()
    {
        return lost;
    }

    /** Returns the capacity in bytes of the receive ring of each connection. */
    public int ringCapacity()
    {
        return layout.ringCapacity();
    }

    /** Returns the PC ID of the local endpoint from the settings. */
    public int pcId()
    {
        return settings.pcId();
    }

    /** Returns a counter; may be called on any thread. */
    public long value(final StreamCounter counter)
    {
        return counters.get(counter.ordinal());
    }

    /** Returns the number of slots in use. A closed connection uses its slot until the peer has confirmed the close. */
    public int connectionCount()
    {
        return slots.used();
    }

    int attemptCount()
    {
        return connector.attemptCount();
    }

    @Override
    public int doWork()
    {
        if (lost != null || closed)
        {
            return 0;
        }
        try
        {
            if ((++cycles & CLOCK_MASK) == 0)
            {
                nowNs = System.nanoTime();
            }
            int work = client.poll();
            work += pollReady();
            work += connector.poll(nowNs);
            work += sendQueued();
            if (nowNs - tickNs >= TICK_NS)
            {
                tickNs = nowNs;
                tick();
            }
            return work;
        }
        catch (final EndpointLostException ex)
        {
            onEndpointLost(ex);
            return 1;
        }
        catch (final InternalError fault)
        {
            onFault(fault);
            return 1;
        }
    }

    /**
     * Fails everything after an access to a file of the endpoint that another process has truncated. The JVM throws its
     * error at the access or at a later point of the thread, which may be outside of this agent.
     *
     * @param fault error of the JVM for such an access, on the thread that runs the agent.
     */
    public void onFault(final InternalError fault)
    {
        onEndpointLost(EndpointLostException.of(settings.endpointDirectory(), fault));
    }

    /** Polls the connections that peers have marked as ready, group by group. */
    private int pollReady()
    {
        int work = 0;
        final int groups = layout.groups() + 1;
        for (int first = 0; first < groups; first += Long.BYTES)
        {
            long marks = takeMarks(StreamLayout.summary(first));
            for (int group = first; marks != 0; group++, marks >>>= Byte.SIZE)
            {
                if ((marks & 0xFF) != 0 && group < groups)
                {
                    work += group == StreamLayout.HELLO_GROUP ? hellos.poll() : pollGroup(group - 1);
                }
            }
        }
        return work;
    }

    private int pollGroup(final int group)
    {
        int work = 0;
        final int end = (group + 1) * StreamLayout.GROUP;
        for (int first = group * StreamLayout.GROUP; first < end; first += Long.BYTES)
        {
            long marks = takeMarks(layout.ready(first));
            for (int slot = first; marks != 0; slot++, marks >>>= Byte.SIZE)
            {
                final StreamChannel channel = (marks & 0xFF) == 0 ? null : slots.get(slot);
                if (channel != null && channel.poll())
                {
                    events.onReady(channel);
                    work++;
                }
            }
        }
        return work;
    }

    /**
     * Returns and clears eight marks. They are cleared before the slots are read, so that no mark is lost.
     * Little-endian.
     */
    private long takeMarks(final int offset)
    {
        return memory.getLongVolatile(offset) == 0 ? 0 : memory.getAndSetLong(offset, 0);
    }

    /** Sends the queued entries of links; returns the number of finished ones. */
    private int sendQueued()
    {
        int work = 0;
        for (int i = busyLinks.size(); i > 0; i--)
        {
            final Link link = busyLinks.remove();
            link.queue(false);
            work += link.send(events);
            if (link.hasWork())
            {
                queue(link);
            }
        }
        return work;
    }

    private void tick()
    {
        connector.tick(nowNs);
        hellos.tick(nowNs);
        slots.tick(nowNs);
        links.tick(nowNs);
    }

    /** Processes a hello record, or null for a record with a value out of range. */
    void onHello(final HelloRecord hello)
    {
        final Link link = hello == null ? null :
            link(hello.peerId(), new PortEntry(hello.regionId(), hello.key(), hello.layout()));
        if (link == null)
        {
            count(StreamCounter.BAD_HELLO);
            return;
        }
        final StreamAcceptor acceptor = acceptors.get(hello.port());
        final int refusal = refusal(acceptor);
        if (refusal != SlotHeader.ACCEPTED)
        {
            link.answer(new Answer(hello.slot(), hello.tag(), refusal, 0, 0));
            queue(link);
            return;
        }
        count(StreamCounter.ACCEPTED);
        final StreamChannel channel = new StreamChannel(this, slots.allocate(), slots.nextTag(),
            acceptor.address(), new IpnumaSocketAddress(hello.peerId(), hello.fromPort()));
        slots.put(channel);
        channel.connect(link, hello.slot(), hello.tag());
        link.answer(new Answer(hello.slot(), hello.tag(), SlotHeader.ACCEPTED, channel.slot(), channel.tag()));
        queue(link);
        acceptor.offer(channel);
        events.onAcceptable(acceptor);
    }

    private int refusal(final StreamAcceptor acceptor)
    {
        if (acceptor == null)
        {
            count(StreamCounter.REFUSED);
            return SlotHeader.NOT_LISTENING;
        }
        if (acceptor.isFull())
        {
            count(StreamCounter.BACKLOG_FULL);
            return SlotHeader.BACKLOG_FULL;
        }
        if (slots.isFull())
        {
            count(StreamCounter.NO_SLOT);
            return SlotHeader.NO_SLOT;
        }
        return SlotHeader.ACCEPTED;
    }

    UnsafeBuffer status()
    {
        return status;
    }

    ScatterList message()
    {
        return message;
    }

    /** Returns the link to a program, or null if {@link Links#to} returns none. */
    Link link(final int peerId, final PortEntry program)
    {
        return links.to(peerId, program);
    }

    void queue(final Link link)
    {
        if (link.queue(true))
        {
            busyLinks.add(link);
        }
    }

    void onConnected(final StreamChannel channel)
    {
        count(StreamCounter.CONNECTED);
        connector.remove(channel);
    }

    /** Removes the attempt of a channel that could not be connected or whose link is lost. */
    void onConnectEnded(final StreamChannel channel)
    {
        connector.remove(channel);
        events.onReady(channel);
        releaseIfEnded(channel);
    }

    void onChannelClosed(final StreamChannel channel)
    {
        if (!channel.awaitsAnswer())
        {
            connector.remove(channel);
        }
        releaseIfEnded(channel);
    }

    /** Connects a channel later because the backlog of its peer is full. Returns false after too long a time. */
    boolean connectLater(final StreamChannel channel)
    {
        return connector.retry(channel);
    }

    void onAcceptorClosed(final StreamAcceptor acceptor)
    {
        acceptors.remove(acceptor.address().port());
        ports.unbind(acceptor.address().port());
    }

    /** Frees the slot of a channel that neither its owner nor the peer uses. */
    void releaseIfEnded(final StreamChannel channel)
    {
        if (channel.isEnded() && slots.get(channel.slot()) == channel)
        {
            slots.release(channel, channel.isLinkLost(), System.nanoTime());
            if (channel.link() != null)
            {
                channel.link().remove(channel);
            }
        }
    }

    void onEndpointLost(final EndpointLostException cause)
    {
        if (lost == null)
        {
            lost = "the endpoint is lost: " + cause.getMessage();
            failAll(lost);
            new ArrayList<>(acceptors.values()).forEach(events::onAcceptable);
        }
    }

    private void failAll(final String why)
    {
        busyLinks.clear();
        for (final StreamChannel channel : slots.all())
        {
            channel.onLost(why);
        }
    }

    private void failLinks(final List<Link> failed, final String why)
    {
        for (final Link link : failed)
        {
            final List<StreamChannel> users = new ArrayList<>(link.fail());
            links.remove(link);
            if (!users.isEmpty())
            {
                count(StreamCounter.PEER_LOST);
            }
            users.forEach(channel -> channel.onLost(why));
        }
    }

    StreamLayout layout()
    {
        return layout;
    }

    UnsafeBuffer memory()
    {
        return memory;
    }

    long nowNs()
    {
        return nowNs;
    }

    void count(final StreamCounter counter)
    {
        counters.incrementAndGet(counter.ordinal());
    }

    @Override
    public String roleName()
    {
        return "streams";
    }

    /** Resets all connections, stops listening, and removes the program's region. Channels fail from now on. */
    @Override
    public void onClose()
    {
        if (!closed)
        {
            try
            {
                new ArrayList<>(acceptors.values()).forEach(StreamAcceptor::close);
                if (lost == null)
                {
                    slots.all().forEach(StreamChannel::reset);
                    sendQueued();
                }
            }
            catch (final EndpointLostException ex)
            {
                onEndpointLost(ex);
            }
            catch (final InternalError fault)
            {
                onFault(fault);
            }
            failAll("the agent is closed");
            closed = true;
            CloseHelper.closeAll(ports, client, region.memory());
        }
    }

    private final class Answers implements AnswerListener
    {
        @Override
        public void onRead(
            final long correlation, final int status, final DirectBuffer buffer, final int offset, final int length)
        {
            connector.onPort(correlation, status, buffer, offset, length);
        }

        @Override
        public void onAtomic(final long correlation, final int status, final long previous)
        {
            connector.onClaim(correlation, status, previous);
        }

        @Override
        public void onWritten(final long correlation, final int status)
        {
            final Link link = links.byId((int)(correlation >>> Integer.SIZE));
            if (link == null)
            {
                return;
            }
            link.onStored((int)correlation);
            if (status != ClientStatus.OK && status != ClientStatus.UNCERTAIN)
            {
                failLinks(List.of(link), "peer " + link.peerId() + " is lost, or the program there has ended: " +
                    ClientStatus.label(status));
            }
        }

        @Override
        public void onPeer(final int type, final int peerId, final int status, final long value)
        {
            // There are no links while the region is added.
            switch (links == null ? ClientMessage.PEER_UP : type)
            {
                case ClientMessage.PEER_DOWN:
                    failLinks(links.ofPeer(peerId), "peer " + peerId + " is down");
                    break;
                case ClientMessage.PEER_RESTARTED:
                    failLinks(links.ofPeer(peerId), "peer " + peerId + " has restarted");
                    break;
                case ClientMessage.PEER_ERROR:
                    final Link link = links.of(peerId, (int)(value >>> Integer.SIZE));
                    if (link != null)
                    {
                        link.probe();
                    }
                    break;
                default:
                    break;
            }
        }
    }
}

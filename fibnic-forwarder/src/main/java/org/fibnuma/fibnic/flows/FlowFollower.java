package org.fibnuma.fibnic.flows;

import org.agrona.CloseHelper;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.status.AtomicCounter;
import org.agrona.concurrent.status.CountersManager;
import org.fibnuma.binding.afxdp.BpfFlowMemory;
import org.fibnuma.binding.conntrack.Conntrack;
import org.fibnuma.binding.conntrack.ConntrackBatch;
import org.fibnuma.binding.conntrack.ConntrackEntry;
import org.fibnuma.binding.conntrack.ConntrackEvents;
import org.fibnuma.binding.conntrack.ConntrackEvents.Kind;
import org.fibnuma.binding.conntrack.ConntrackTimeouts;
import org.fibnuma.binding.libc.Errno;
import org.fibnuma.binding.libc.SystemCallException;
import org.fibnuma.binding.netfilter.FlowLabelTable;
import org.fibnuma.binding.netfilter.FlowLabels;
import org.fibnuma.binding.netfilter.RulesetChanges;
import org.fibnuma.core.UserException;
import org.fibnuma.core.flow.FlowMemory;
import org.fibnuma.core.flow.FlowTable;
import org.fibnuma.core.flow.FlowTuple;
import org.fibnuma.core.kernel.HostRestriction;
import org.fibnuma.core.kernel.RulesetVersion;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.SharedInterface;
import org.fibnuma.core.wire.IpProtocol;
import org.fibnuma.fibnic.fib.ReaderEpochs;
import org.fibnuma.fibnic.rate.RateLimit;
import org.fibnuma.fibnic.rate.TokenBucket;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntUnaryOperator;

/**
 * Learns the connections that the host's packet filters accept, and keeps their entries in conntrack alive while the
 * router forwards their packets. It is closed at first, without any resource of the kernel.
 * <p>
 * {@link #open} sets a table of nftables that labels what has passed all chains. A connection that has labels of both
 * directions and is established becomes a flow after {@link #LEARN_DELAY_MS}, unless there is a {@link FlowRefusal}.
 * Its entry is refreshed while it has packets. The kernel has the flow again when its entry ends, closes or changes its
 * state.
 * <p>
 * The kernel refreshes the timeout of an entry in a flowtable itself, until the flowtable has had none of the packets
 * for some seconds. Such an entry is refreshed with the timeout of its protocol.
 * <p>
 * A change of the ruleset by another process, and a loss of destructions, end all flows at once: no frame is forwarded
 * by a flow any more when {@link #poll} returns. The labels that are set from then on are others, so that a connection
 * is learned again only if its packets pass the ruleset again. Control thread.
 */
public final class FlowFollower implements AutoCloseable
{
    /** Short connections end before this time: they do not pay for being learned. */
    static final long LEARN_DELAY_MS = 500;

    /** After this time a connection that could not be a flow because of its interfaces is labelled anew. */
    private static final long AGAIN_MS = TimeUnit.SECONDS.toMillis(30);

    private static final Logger LOGGER = LoggerFactory.getLogger(FlowFollower.class);
    /** Type id of the counters of flows. */
    private static final int COUNTER_TYPE = 1401;
    /** About 50,000 events. */
    private static final int EVENT_BUFFER_BYTES = 32 * 1024 * 1024;
    private static final int EVENTS_PER_CYCLE = 1024;
    private static final int CANDIDATES_PER_CYCLE = 512;
    /** Connections that rules offload later than at their first packets cause no event. */
    private static final long OFFLOADED_SEARCH_MS = TimeUnit.SECONDS.toMillis(10);
    private static final String NO_FILTER = "the host has no packet filter that the router follows";

    private final List<Port> ports;
    private final IntUnaryOperator numberOf;
    private final AtomicReference<FlowTable> published;
    private final ReaderEpochs epochs;
    private final int capacity;
    private final RateLimit refreshLimit;
    private final TokenBucket refreshTokens;
    private final EpochClock clock;
    private final String name;
    private final AtomicCounter flowCount;
    private final AtomicCounter learnedCount;
    private final AtomicCounter endedCount;
    private final Map<FlowRefusal, Long> refusals = new EnumMap<>(FlowRefusal.class);
    /** Connections to be examined, by the tuple of their initiator, in the order of their times. */
    private final Map<FlowTuple, Candidate> candidates = new HashMap<>();
    private final ArrayDeque<Candidate> waiting = new ArrayDeque<>();
    /** Connections whose packets may take one path each way after a while, in the order of their times. */
    private final ArrayDeque<Candidate> later = new ArrayDeque<>();
    private final FlowRecords records = new FlowRecords();
    private final List<FlowTuple> due = new ArrayList<>();
    private final List<ConntrackEntry> entries = new ArrayList<>();
    private final List<Taken> taken = new ArrayList<>();

    private Conntrack conntrack;
    private ConntrackBatch batch;
    private ConntrackEvents updates;
    private ConntrackEvents destructions;
    private TableScan scan;
    private RulesetChanges ruleset;
    private FlowLabelTable labelTable;
    private ConntrackTimeouts timeouts;
    private FlowKeepAlive keepAlive;
    private FlowMemory memory;
    private FlowTable table;

    /** The interfaces that flows may use, null while no flows are allowed. */
    private int[] allowed;
    private FlowLabels labels;
    private int slot;
    /** Slots that were used since their labels were removed. */
    private int usedSlots;
    /** The latest generation of the ruleset that another process has made. */
    private int foreignGeneration;
    /** The packet filters under which flows were allowed last. */
    private RulesetVersion allowedRuleset = RulesetVersion.NONE;
    /** Packets that meet rules about single packets. */
    private List<HostRestriction.Scope> keptPackets = List.of();
    /** Packets that meet such rules unless their connection is in a flowtable. */
    private List<HostRestriction.Scope> offloadedOnly = List.of();
    private long nextSearchMs;
    private boolean isOpen;
    private boolean isWanted;
    /** Why no flows are found unless {@link #isOpen}. */
    private String obstacle = NO_FILTER;
    /** Whether workers may still use the flows from before the last end. */
    private boolean isDraining;

    /**
     * Creates a closed follower.
     *
     * @param ports              of the router.
     * @param numberOf           returns the number of the router's interface with an index of the kernel, negative for
     *                           none.
     * @param published          holder from which the workers take the table of flows.
     * @param epochs             of the workers.
     * @param capacity           most flows.
     * @param refreshesPerSecond of entries, 1 or more.
     * @param counters           for the counters of flows.
     * @param clock              of the control thread.
     * @param name               of the table of nftables.
     */
    public FlowFollower(
        final List<Port> ports,
        final IntUnaryOperator numberOf,
        final AtomicReference<FlowTable> published,
        final ReaderEpochs epochs,
        final int capacity,
        final int refreshesPerSecond,
        final CountersManager counters,
        final EpochClock clock,
        final String name)
    {
        this.ports = ports;
        this.numberOf = numberOf;
        this.published = published;
        this.epochs = epochs;
        this.capacity = capacity;
        this.refreshLimit = new RateLimit(refreshesPerSecond);
        this.refreshTokens = new TokenBucket(refreshLimit, SystemNanoClock.INSTANCE);
        this.clock = clock;
        this.name = name;
        this.flowCount = counters.newCounter("flows", COUNTER_TYPE);
        this.learnedCount = counters.newCounter("flows learned", COUNTER_TYPE);
        this.endedCount = counters.newCounter("flows ended", COUNTER_TYPE);
    }

    /** Changes how many entries are refreshed in a second, 1 or more. */
    public void refreshesPerSecond(final int perSecond)
    {
        refreshLimit.change(perSecond);
    }

    /**
     * Returns the table of nftables, of which every change is the router's own; null before the first {@link #open}.
     */
    public FlowLabelTable labelTable()
    {
        return labelTable;
    }

    /**
     * Allows flows between interfaces, under packet filters that were read. They begin when no other process has
     * changed nftables since.
     *
     * @param interfaceIndexes of the kernel, in any order, each once.
     * @param read             version of the packet filters.
     * @param kept             packets that the kernel must receive under these filters.
     * @param onlyOffloaded    packets that it must receive unless their connection is in one of its flowtables.
     * @return why the kernel cannot tell which connections it accepts, in one line; empty if it can.
     */
    public String open(
        final int[] interfaceIndexes,
        final RulesetVersion read,
        final List<HostRestriction.Scope> kept,
        final List<HostRestriction.Scope> onlyOffloaded)
    {
        final int[] sorted = Arrays.stream(interfaceIndexes).sorted().toArray();
        keptPackets = List.copyOf(kept);
        isWanted = true;
        try
        {
            if (table == null)
            {
                openResources();
            }
            if (read.legacy() != allowedRuleset.legacy())
            {
                endAll("the rules of legacy iptables have changed");
            }
            allowedRuleset = read;
            if (!onlyOffloaded.equals(offloadedOnly))
            {
                endAll("other connections may become flows");
                offloadedOnly = List.copyOf(onlyOffloaded);
            }
            if (!Arrays.equals(allowed, sorted))
            {
                endAll("the interfaces of the router have changed");
                scan.cancel();
                labels = new FlowLabels(sorted.length);
                slot = 0;
                usedSlots = labels.slots();
                allowed = sorted;
            }
            return "";
        }
        catch (final SystemCallException | UserException ex)
        {
            endAll("they cannot be followed");
            allowed = null;
            obstacle = ex.getMessage();
            return obstacle;
        }
    }

    /** Ends all flows; the kernel has their packets until {@link #open}. */
    public void shut()
    {
        if (allowed != null)
        {
            endAll("the host's packet filters no longer allow them");
            allowed = null;
            labelTable.update(new FlowLabels(0), new int[0], 0);
        }
        isWanted = false;
        obstacle = NO_FILTER;
    }

    private void openResources()
    {
        boolean complete = false;
        try
        {
            conntrack = new Conntrack();
            // Listens before the first label: an entry without a listener never has events.
            updates = new ConntrackEvents(Set.of(Kind.UPDATE), conntrack.portId(), EVENT_BUFFER_BYTES);
            destructions = new ConntrackEvents(Set.of(Kind.DESTROY), conntrack.portId(), EVENT_BUFFER_BYTES);
            scan = new TableScan();
            batch = conntrack.newBatch();
            ruleset = RulesetChanges.open();
            labelTable = FlowLabelTable.open(name);
            timeouts = ConntrackTimeouts.read();
            memory = ports.stream().anyMatch(port -> port.capability(SharedInterface.class).isPresent()) ?
                BpfFlowMemory.allocate(capacity) : FlowMemory.ofProcess(capacity);
            table = new FlowTable(memory, capacity, ThreadLocalRandom.current().nextLong());
            keepAlive = new FlowKeepAlive(
                table, records, batch, timeouts, refreshTokens, this::end, this::learnLater, this::refuse);
            complete = true;
        }
        finally
        {
            if (!complete)
            {
                closeResources();
            }
        }
    }

    /** Begins to learn, as no worker uses former flows any more; or first removes the labels if all slots are used. */
    private void beginOrRemoveLabels()
    {
        // The rule sets labels of the last slot until it is updated, also after their removal.
        if (usedSlots >= labels.slots() - 1)
        {
            final FlowLabels.Labels all = allSlots(labels);
            scan.begin(0, 0, entry -> removeLabels(entry, all), () -> usedSlots = 0);
            return;
        }
        slot = (slot + 1) % labels.slots();
        usedSlots++;
        labelTable.update(labels, allowed, slot);
        published.set(table);
        for (final Port port : ports)
        {
            final String refusal =
                port.capability(SharedInterface.class).map(device -> device.flows(table)).orElse("");
            if (!refusal.isEmpty())
            {
                LOGGER.warn("port {}: the kernel forwards its frames, because it refuses the program that finds " +
                    "flows: {}", port.name(), refusal);
            }
        }
        isOpen = true;
    }

    private static FlowLabels.Labels allSlots(final FlowLabels labels)
    {
        FlowLabels.Labels mask = labels.slotMask(0);
        for (int i = 1; i < labels.slots(); i++)
        {
            mask = mask.or(labels.slotMask(i));
        }
        return mask;
    }

    private void removeLabels(final ConntrackEntry entry, final FlowLabels.Labels mask)
    {
        if (!entry.hasLabels() || (entry.labelsLow() | entry.labelsHigh()) == 0)
        {
            return;
        }
        addLabelRemoval(entry.original(), entry.zone(), mask);
    }

    private void addLabelRemoval(final FlowTuple original, final int zone, final FlowLabels.Labels mask)
    {
        if (batch.isFull())
        {
            batch.send((index, errno) -> {});
        }
        batch.addLabelRemoval(original, zone, mask.high(), mask.low());
    }

    /**
     * Handles what has happened since the last call.
     *
     * @return the number of events and changes.
     */
    public int poll()
    {
        if (allowed == null)
        {
            return 0;
        }
        final int generation = ruleset.poll(labelTable.portId());
        if (generation != RulesetChanges.UNCHANGED)
        {
            foreignGeneration = generation;
            endAll("the ruleset has changed");
        }
        int work = destructions.poll((kind, entry) -> onDestruction(entry), EVENTS_PER_CYCLE);
        if (work == ConntrackEvents.LOST)
        {
            endAll("events about the end of connections were lost");
            return 1;
        }
        // The kernel repeats a lost update with the next packet of the connection that it sees.
        work += Math.abs(updates.poll((kind, entry) -> onUpdate(entry), EVENTS_PER_CYCLE));
        work += scan.poll();
        batch.send((index, errno) -> {});
        if (!isOpen && !isDraining && !scan.isRunning() && allowedRuleset.generation() - foreignGeneration >= 0)
        {
            beginOrRemoveLabels();
        }
        if (isOpen)
        {
            searchOffloaded(clock.time());
            work += learn(clock.time());
            final FlowLabels.Labels current = labels.slotMask(slot);
            work += labelAnew(clock.time(), current);
            work += keepAlive.walk(clock.time(), current, offloadedOnly);
        }
        return work;
    }

    private void onDestruction(final ConntrackEntry entry)
    {
        if (!isOpen || entry.zone() != 0)
        {
            return;
        }
        final int flow = table.flowOf(entry.original());
        if (flow == FlowTable.NONE)
        {
            candidates.remove(entry.original());
        }
        else if (records.id(flow) == entry.id())
        {
            end(flow);
        }
    }

    private void onUpdate(final ConntrackEntry entry)
    {
        if (!isOpen || entry.zone() != 0)
        {
            return;
        }
        final int flow = table.flowOf(entry.original());
        if (flow == FlowTable.NONE)
        {
            if (mayBeAccepted(entry))
            {
                addCandidate(entry.original());
            }
        }
        else if (!isStill(flow, entry))
        {
            end(flow);
        }
    }

    private void addCandidate(final FlowTuple original)
    {
        final Candidate candidate = new Candidate(original, clock.time() + LEARN_DELAY_MS);
        if (candidates.putIfAbsent(original, candidate) == null)
        {
            waiting.add(candidate);
        }
    }

    /** Finds connections in a flowtable that have caused no event since they are there. */
    private void searchOffloaded(final long nowMs)
    {
        if (offloadedOnly.isEmpty() || nowMs < nextSearchMs || scan.isRunning())
        {
            return;
        }
        nextSearchMs = nowMs + OFFLOADED_SEARCH_MS;
        scan.begin(ConntrackEntry.OFFLOAD, ConntrackEntry.OFFLOAD, entry ->
        {
            if (isOnlyOffloaded(entry.original()) && FlowRefusal.of(entry) == null &&
                isOfRouter(pathOf(entry, FlowLabels.ORIGINAL)) && isOfRouter(pathOf(entry, FlowLabels.REPLY)) &&
                table.flowOf(entry.original()) == FlowTable.NONE)
            {
                addCandidate(entry.original());
            }
        }, () -> {});
    }

    private boolean isOnlyOffloaded(final FlowTuple tuple)
    {
        return areOf(offloadedOnly, tuple);
    }

    /** Returns whether packets of a tuple are of one of some scopes. */
    static boolean areOf(final List<HostRestriction.Scope> scopes, final FlowTuple tuple)
    {
        return scopes.stream().anyMatch(scope -> scope.includes(tuple.isIpv6(), tuple.protocol()));
    }

    /** Returns whether an entry is that of a flow, in a state that it may have. */
    private boolean isStill(final int flow, final ConntrackEntry entry)
    {
        return records.id(flow) == entry.id() && (entry.status() & ConntrackEntry.DYING) == 0 &&
            (entry.tcpState() == ConntrackEntry.ABSENT || entry.tcpState() == ConntrackEntry.TCP_ESTABLISHED) &&
            (entry.sctpState() == ConntrackEntry.ABSENT || entry.sctpState() == ConntrackEntry.SCTP_ESTABLISHED);
    }

    /**
     * Returns whether an event may be the last one before an entry is that of a flow: it is established and now has
     * labels. Protocols other than TCP may be established later than they have labels, and such an
     * event does not repeat them.
     */
    private boolean mayBeAccepted(final ConntrackEntry entry)
    {
        final boolean mayHaveLabels = entry.hasLabels() ?
            pathOf(entry, FlowLabels.ORIGINAL) != FlowLabels.NONE &&
            pathOf(entry, FlowLabels.REPLY) != FlowLabels.NONE :
            entry.original().protocol() != IpProtocol.TCP;
        return mayHaveLabels && FlowRefusal.isAccepted(entry);
    }

    /**
     * Lets a connection be learned after {@link #AGAIN_MS}: packets that come in by several interfaces while a route
     * moves leave labels of several paths, and nothing but a removal of the labels ends that.
     */
    private void learnLater(final FlowTuple original)
    {
        if (later.size() < capacity)
        {
            later.add(new Candidate(original, clock.time() + AGAIN_MS));
        }
    }

    /** Removes the labels of connections whose time has come; their next packets set those of their paths. */
    private int labelAnew(final long nowMs, final FlowLabels.Labels mask)
    {
        int count = 0;
        while (count < CANDIDATES_PER_CYCLE && !later.isEmpty() && later.peekFirst().dueMs() <= nowMs)
        {
            final FlowTuple original = later.pollFirst().tuple();
            if (table.flowOf(original) == FlowTable.NONE)
            {
                addLabelRemoval(original, 0, mask);
            }
            count++;
        }
        batch.send((index, errno) -> {});
        return count;
    }

    /** Takes the connections whose time has come. */
    private int learn(final long nowMs)
    {
        due.clear();
        while (!waiting.isEmpty() && waiting.peekFirst().dueMs() <= nowMs && due.size() < CANDIDATES_PER_CYCLE)
        {
            final Candidate candidate = waiting.pollFirst();
            if (candidates.remove(candidate.tuple(), candidate))
            {
                due.add(candidate.tuple());
            }
        }
        if (due.isEmpty())
        {
            return 0;
        }
        entries.clear();
        conntrack.get(due, 0, (entry, index) -> entries.add(entry));
        for (int i = entries.size(); i < due.size(); i++)
        {
            refuse(FlowRefusal.GONE);
        }
        for (final ConntrackEntry entry : entries)
        {
            examine(entry);
        }
        sendTaken(nowMs);
        return due.size();
    }

    private void examine(final ConntrackEntry entry)
    {
        final FlowTuple original = entry.original();
        final FlowRefusal refusal = FlowRefusal.of(entry);
        if (refusal != null)
        {
            refuse(refusal);
            return;
        }
        if (areOf(keptPackets, original))
        {
            refuse(FlowRefusal.RULE);
            return;
        }
        if (isOnlyOffloaded(original) && !entry.isOffloaded())
        {
            refuse(FlowRefusal.NOT_OFFLOADED);
            return;
        }
        final int path = pathOf(entry, FlowLabels.ORIGINAL);
        final int replyPath = pathOf(entry, FlowLabels.REPLY);
        if (!isOfRouter(path) || !isOfRouter(replyPath))
        {
            refuse(FlowRefusal.INTERFACES);
            learnLater(original);
            return;
        }
        final int timeoutSeconds = timeoutOf(entry);
        if (timeoutSeconds == 0)
        {
            refuse(FlowRefusal.FIXED_TIMEOUT);
            return;
        }
        final Taken connection = new Taken(entry, timeoutSeconds, path, replyPath);
        if (original.protocol() != IpProtocol.TCP && (entry.status() & ConntrackEntry.ASSURED) != 0)
        {
            add(connection, clock.time());
            return;
        }
        if (batch.isFull())
        {
            sendTaken(clock.time());
        }
        batch.addAssuredRefresh(entry, entry.isOffloaded() ? ConntrackTimeouts.OFFLOADED : timeoutSeconds);
        taken.add(connection);
    }

    /**
     * Returns the timeout with which an entry is refreshed; 0 if it may expire before the first refresh after the
     * connection has left a flowtable.
     */
    private int timeoutOf(final ConntrackEntry entry)
    {
        if (!entry.isOffloaded())
        {
            return entry.timeoutSeconds();
        }
        final int protocol = entry.original().protocol();
        final int timeoutSeconds = timeouts.established(protocol);
        final boolean isKept =
            timeoutSeconds - timeouts.flowtable(protocol) > timeoutSeconds / FlowKeepAlive.REFRESHES_PER_TIMEOUT;
        return isKept ? timeoutSeconds : 0;
    }

    /** Returns the code of the path of a direction under the current labels, see {@link FlowLabels#path}. */
    private int pathOf(final ConntrackEntry entry, final int direction)
    {
        return entry.isOffloaded() ? FlowCheck.pathOrReverse(labels, slot, entry, direction) :
            FlowCheck.path(labels, slot, entry, direction);
    }

    /** Returns whether the code is that of a path, and the router still has both of its interfaces. */
    private boolean isOfRouter(final int path)
    {
        return path > 0 && ingressOf(path) >= 0 && egressOf(path) >= 0;
    }

    private int ingressOf(final int path)
    {
        return numberOf.applyAsInt(allowed[labels.ingress(path)]);
    }

    private int egressOf(final int path)
    {
        return numberOf.applyAsInt(allowed[labels.egress(path)]);
    }

    /** Lets the kernel accept any sequence numbers from now on and keep the entries, then adds the flows. */
    private void sendTaken(final long nowMs)
    {
        final boolean[] isRefused = new boolean[taken.size()];
        batch.send((index, errno) ->
        {
            isRefused[index] = true;
            refuse(Errno.EPERM.is(errno) ? FlowRefusal.FIXED_TIMEOUT : FlowRefusal.GONE);
        });
        for (int i = 0; i < isRefused.length; i++)
        {
            if (!isRefused[i])
            {
                add(taken.get(i), nowMs);
            }
        }
        taken.clear();
    }

    private void add(final Taken connection, final long nowMs)
    {
        final ConntrackEntry entry = connection.entry();
        final int flow = table.add(
            entry.original(), ingressOf(connection.path()), egressOf(connection.path()),
            entry.reply(), ingressOf(connection.replyPath()), egressOf(connection.replyPath()));
        if (flow < 0)
        {
            refuse(flow == FlowTable.FULL ? FlowRefusal.TABLE_FULL : FlowRefusal.AMBIGUOUS);
            return;
        }
        records.put(flow, entry.id(), connection.timeoutSeconds(), nowMs);
        learnedCount.increment();
        flowCount.set(table.size());
    }

    private void refuse(final FlowRefusal refusal)
    {
        refusals.merge(refusal, 1L, Long::sum);
    }

    private void end(final int flow)
    {
        table.remove(flow);
        records.remove(flow);
        epochs.retire(() -> table.release(flow));
        endedCount.increment();
        flowCount.set(table.size());
    }

    /** Ends all flows: programs and workers find none from now on. */
    private void endAll(final String reason)
    {
        candidates.clear();
        waiting.clear();
        later.clear();
        obstacle = reason;
        if (!isOpen)
        {
            return;
        }
        isOpen = false;
        scan.cancel();
        published.set(null);
        for (final Port port : ports)
        {
            port.capability(SharedInterface.class).ifPresent(device -> device.flows(null));
        }
        LOGGER.info("{} flows ended, and the kernel has their packets: {}", table.size(), reason);
        endedCount.getAndAddOrdered(table.size());
        isDraining = true;
        epochs.retire(this::drained);
    }

    private void drained()
    {
        isDraining = false;
        table.clear();
        records.clear();
        flowCount.set(0);
    }

    /** Returns the flows in numbers. */
    public FlowStatus status()
    {
        return new FlowStatus(
            isWanted, isOpen ? "" : obstacle, isOpen ? table.size() : 0, capacity,
            table == null ? 0 : table.memoryBytes(), learnedCount.get(), endedCount.get(), Map.copyOf(refusals));
    }

    /** Returns what entries of the current flows must be like; null if no flows are found. */
    public FlowCheck check()
    {
        return isOpen ? new FlowCheck(labels, slot, Arrays.stream(allowed).map(numberOf).toArray()) : null;
    }

    /**
     * Returns flows in the order of their numbers.
     *
     * @param first lowest number.
     * @param most  flows in the result; fewer are returned only if there are no more.
     */
    public List<FlowView> flows(final int first, final int most)
    {
        final List<FlowView> views = new ArrayList<>();
        final long nowMs = clock.time();
        for (int flow = first; isOpen && flow < table.end() && views.size() < most; flow++)
        {
            if (records.has(flow))
            {
                final int reply = 2 * flow + 1;
                views.add(new FlowView(
                    flow, records.id(flow), table.tuple(2 * flow), table.tuple(reply), table.ingress(2 * flow),
                    table.ingress(reply), table.packets(2 * flow), table.bytes(2 * flow), table.packets(reply),
                    table.bytes(reply), nowMs - records.learnedMs(flow), nowMs - records.refreshedMs(flow)));
            }
        }
        return views;
    }

    @Override
    public void close()
    {
        endAll("the router ends");
        closeResources();
    }

    private void closeResources()
    {
        CloseHelper.closeAll(labelTable, ruleset, conntrack, scan, updates, destructions, memory);
        table = null;
        labelTable = null;
        ruleset = null;
        conntrack = null;
        scan = null;
        updates = null;
        destructions = null;
        memory = null;
        allowed = null;
    }

    private record Candidate(FlowTuple tuple, long dueMs)
    {
    }

    private record Taken(ConntrackEntry entry, int timeoutSeconds, int path, int replyPath)
    {
    }
}

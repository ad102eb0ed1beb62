package org.fibnuma.pfc.simulator;

import org.fibnuma.pfc.policy.PauseMarks;
import org.fibnuma.pfc.policy.PauseOutput;
import org.fibnuma.pfc.policy.PausePolicy;
import org.fibnuma.pfc.policy.PauseSettings;
import org.fibnuma.pfc.priority.PriorityBacklog;

import java.util.IntSummaryStatistics;

/**
 * The experiment of section 4 of the paper that {@link org.fibnuma.pfc.policy.PauseTimeLaw} cites. It is an N x N
 * switch with 3 FIFOs of 333 packets of 1,518 bytes at each input and links of 1 Gb/s. The marks are at 9/10 and 1/10
 * of a FIFO. The paper gives them for POOC and states that the target of C-DPTC is the low mark; its threshold is
 * assumed to be the high mark. Pause frames take no time on their link. One object is one run on one thread.
 */
public final class PauseSimulation
{
    /** Link speed, table 1 of the paper. */
    public static final long BITS_PER_SECOND = 1_000_000_000L;
    /** Bytes of every packet, table 1 of the paper. */
    public static final int PACKET_BYTES = 1518;
    /** Time of one packet on a link, in nanoseconds. */
    public static final long SLOT_NS = PACKET_BYTES * 8L;

    private static final double HIGH_MARK = 0.9;
    private static final double LOW_MARK = 0.1;
    private static final int CLASSES = InputQueues.CLASSES;

    private final SimulationSettings settings;
    private final BurstTraffic traffic;
    private final SourceQueues sources;
    private final InputQueues queues;
    private final OldestFirstMatching matching;
    private final PausedSender[] senders;
    private final PriorityBacklog[] backlogs;
    private final PausePolicy[] policies;
    private final int[] nextClass;
    private final InputObserver observer;
    private long delivered;
    private long lost;
    private long underflows;

    private PauseSimulation(final SimulationSettings settings, final InputObserver observer)
    {
        final int ports = settings.ports();
        this.observer = observer;
        this.settings = settings;
        traffic = new BurstTraffic(settings);
        sources = new SourceQueues(ports * CLASSES);
        queues = new InputQueues(ports);
        matching = new OldestFirstMatching(ports, queues, settings.arbitration());
        senders = new PausedSender[ports];
        backlogs = new PriorityBacklog[ports];
        policies = new PausePolicy[ports];
        nextClass = new int[ports];
        final PauseSettings pauseSettings = new PauseSettings(
            (1 << CLASSES) - 1, marks(), (long)InputQueues.CAPACITY * PACKET_BYTES - marks().xoffBytes(),
            BITS_PER_SECOND, settings.upkeep(), settings.law());
        for (int port = 0; port < ports; port++)
        {
            senders[port] = new PausedSender(BITS_PER_SECOND, SLOT_NS);
            backlogs[port] = new PriorityBacklog();
            policies[port] = settings.policy().create(pauseSettings, backlogs[port], output(port));
        }
    }

    /** Runs one simulation. Results are equal for equal settings. */
    public static SimulationResult run(final SimulationSettings settings)
    {
        return new PauseSimulation(settings, null).run();
    }

    /** Runs one simulation whose inputs an observer follows. */
    public static SimulationResult run(final SimulationSettings settings, final InputObserver observer)
    {
        return new PauseSimulation(settings, observer).run();
    }

    /** Returns the marks in bytes. */
    static PauseMarks marks()
    {
        final double queueBytes = (double)InputQueues.CAPACITY * PACKET_BYTES;
        return new PauseMarks(Math.round(HIGH_MARK * queueBytes), Math.round(LOW_MARK * queueBytes));
    }

    private PauseOutput output(final int port)
    {
        final PausedSender sender = senders[port];
        return observer == null ? sender : (classEnable, quanta, nowNs) ->
        {
            observer.onPause(port, classEnable, quanta, nowNs);
            return sender.send(classEnable, quanta, nowNs);
        };
    }

    private SimulationResult run()
    {
        for (int slot = 0; slot < settings.slots(); slot++)
        {
            final long nowNs = slot * SLOT_NS;
            for (int port = 0; port < settings.ports(); port++)
            {
                generate(port);
                receive(port, slot, nowNs);
            }
            matching.match();
            for (int output = 0; output < settings.ports(); output++)
            {
                final int queue = matching.queueFor(output);
                if (queue != OldestFirstMatching.NO_QUEUE)
                {
                    deliver(queue, nowNs);
                }
            }
        }
        return result();
    }

    private void generate(final int port)
    {
        final int packet = traffic.next(port);
        if (packet != BurstTraffic.NOTHING)
        {
            final int ports = settings.ports();
            sources.add(port * CLASSES + packet / ports, packet % ports);
        }
    }

    private void receive(final int port, final int slot, final long nowNs)
    {
        if (observer != null)
        {
            observer.onSlot(port, nowNs);
        }
        policies[port].onTime(nowNs);
        for (int turn = 0; turn < CLASSES; turn++)
        {
            final int sum = nextClass[port] + turn;
            final int priority = sum < CLASSES ? sum : sum - CLASSES;
            final int queue = port * CLASSES + priority;
            if (!sources.isEmpty(queue) && !senders[port].isStopped(priority, nowNs))
            {
                nextClass[port] = priority + 1 == CLASSES ? 0 : priority + 1;
                if (queues.add(queue, sources.take(queue), slot))
                {
                    backlogs[port].onArrival(priority, PACKET_BYTES);
                    policies[port].onArrival(priority, nowNs);
                    if (observer != null)
                    {
                        observer.onArrival(port, priority, nowNs);
                    }
                }
                else
                {
                    lost++;
                }
                return;
            }
        }
    }

    private void deliver(final int queue, final long nowNs)
    {
        final int port = queue / CLASSES;
        final int priority = queue % CLASSES;
        queues.removeHead(queue);
        delivered++;
        backlogs[port].onDeparture(priority, PACKET_BYTES);
        if (queues.isEmpty(queue) && !sources.isEmpty(queue) && senders[port].isStopped(priority, nowNs + SLOT_NS))
        {
            underflows++;
        }
        policies[port].onDeparture(priority, nowNs);
        if (observer != null)
        {
            observer.onDeparture(port, priority, nowNs);
        }
    }

    private SimulationResult result()
    {
        final IntSummaryStatistics quanta = new IntSummaryStatistics();
        long frames = 0;
        for (final PausedSender sender : senders)
        {
            frames += sender.frames();
            quanta.combine(sender.pauseQuanta());
        }
        return new SimulationResult(
            (double)frames / settings.ports(),
            lost,
            (double)delivered / settings.slots() / settings.ports(),
            underflows,
            quanta.getCount() == 0 ? new SimulationResult.PauseTimes(0, 0, 0) :
                new SimulationResult.PauseTimes(quanta.getMin(), quanta.getAverage(), quanta.getMax()),
            settings.slots() * SLOT_NS / 1e9);
    }
}

package org.fibnuma.pfc.simulator;

import org.fibnuma.pfc.policy.PausePolicyKind;
import org.fibnuma.pfc.policy.PauseUpkeep;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;

/**
 * The switch of the pause-time paper a second time, slow and obvious: packets are objects, and every pause is computed
 * in place. It shares the traffic with {@link PauseSimulation}, and follows its arbitration and timing, which the paper
 * does not define: it shows errors of the code, not of these choices. POOC and C-DPTC.
 */
final class SlowSwitch
{
    private static final int CLASSES = 3;
    private static final int CAPACITY = 333;
    private static final int BYTES = 1518;
    private static final long SLOT_NS = BYTES * 8L;
    private static final long QUANTUM_NS = 512;
    private static final double HIGH = Math.round(0.9 * CAPACITY * BYTES);
    private static final double LOW = Math.round(0.1 * CAPACITY * BYTES);

    private final SimulationSettings settings;
    private final Input[] inputs;
    private long frames;
    private long lost;
    private long delivered;

    private static final class Packet
    {
        private final int destination;
        private long arrival;

        Packet(final int destination)
        {
            this.destination = destination;
        }
    }

    private static final class Queue
    {
        private final Deque<Packet> source = new ArrayDeque<>();
        private final Deque<Packet> held = new ArrayDeque<>();
        private long arrived;
        private long arrivedAtPause;
        private long departed;
        private long departedAtPause;
        private long pauseStartNs;
        private long dueNs = Long.MAX_VALUE;
        private long pauseEndNs;
        private long stoppedUntilNs;
    }

    private static final class Input
    {
        private final Queue[] queues = {new Queue(), new Queue(), new Queue()};
        private int nextToReceive;
        private int nextToServe;
    }

    private SlowSwitch(final SimulationSettings settings)
    {
        this.settings = settings;
        inputs = new Input[settings.ports()];
        Arrays.setAll(inputs, i -> new Input());
    }

    /** Returns pause frames, lost packets and delivered packets. */
    static List<Long> run(final SimulationSettings settings)
    {
        final SlowSwitch slow = new SlowSwitch(settings);
        final BurstTraffic traffic = new BurstTraffic(settings);
        for (int slot = 0; slot < settings.slots(); slot++)
        {
            for (int i = 0; i < slow.inputs.length; i++)
            {
                final int packet = traffic.next(i);
                if (packet >= 0)
                {
                    slow.inputs[i].queues[packet / settings.ports()].source.add(
                        new Packet(packet % settings.ports()));
                }
                slow.receive(slow.inputs[i], slot);
            }
            if (settings.arbitration() == Arbitration.ALL_HEADS)
            {
                slow.serveAllHeads(slot);
            }
            else
            {
                slow.serveOneRequest(slot);
            }
        }
        return List.of(slow.frames, slow.lost, slow.delivered);
    }

    private void receive(final Input input, final long slot)
    {
        for (final Queue queue : input.queues)
        {
            if (settings.upkeep() == PauseUpkeep.ROUTER && queue.dueNs <= slot * SLOT_NS)
            {
                renew(queue, slot * SLOT_NS);
            }
        }
        for (int turn = 0; turn < CLASSES; turn++)
        {
            final int c = (input.nextToReceive + turn) % CLASSES;
            final Queue queue = input.queues[c];
            if (!queue.source.isEmpty() && queue.stoppedUntilNs <= slot * SLOT_NS)
            {
                input.nextToReceive = (c + 1) % CLASSES;
                final Packet packet = queue.source.remove();
                if (queue.held.size() == CAPACITY)
                {
                    lost++;
                    return;
                }
                packet.arrival = slot;
                queue.held.add(packet);
                queue.arrived++;
                pauseIfLong(queue, slot * SLOT_NS);
                return;
            }
        }
    }

    private void pauseIfLong(final Queue queue, final long nowNs)
    {
        if (queue.held.size() * BYTES <= HIGH || queue.pauseEndNs > nowNs)
        {
            return;
        }
        int quanta = 65_535;
        if (settings.policy() == PausePolicyKind.CDPTC)
        {
            final double difference = (queue.arrived - queue.arrivedAtPause) * (double)BYTES;
            quanta = (int)Math.min(quanta, settings.law().gain() * (HIGH - LOW) * (HIGH - LOW) /
                (settings.law().divisor().value() * difference));
        }
        pause(queue, quanta, nowNs);
    }

    /** Half of a pause is over: is the queue too long, and what is left of the pause too short? */
    private void renew(final Queue queue, final long nowNs)
    {
        final double held = queue.held.size() * BYTES;
        final long departed = (queue.departed - queue.departedAtPause) * BYTES;
        int quanta = 65_535;
        if (settings.policy() == PausePolicyKind.CDPTC && departed > 0)
        {
            quanta = (int)Math.min(quanta, (held - LOW) * (nowNs - queue.pauseStartNs) / departed / QUANTUM_NS);
        }
        quanta = Math.max(quanta, (int)(2 * (CAPACITY * BYTES - HIGH) * 8 / 512));
        if (held > HIGH && queue.pauseEndNs - nowNs < quanta * QUANTUM_NS)
        {
            pause(queue, quanta, nowNs);
        }
        else
        {
            queue.dueNs = queue.pauseEndNs <= nowNs ? Long.MAX_VALUE :
                nowNs + Math.max(1, (queue.pauseEndNs - nowNs) / 2);
        }
    }

    private void pause(final Queue queue, final int quanta, final long nowNs)
    {
        frames++;
        queue.arrivedAtPause = queue.arrived;
        queue.departedAtPause = queue.departed;
        queue.pauseStartNs = nowNs;
        queue.pauseEndNs = nowNs + quanta * QUANTUM_NS;
        queue.dueNs = nowNs + quanta * QUANTUM_NS / 2;
        queue.stoppedUntilNs = queue.pauseEndNs + SLOT_NS;
    }

    /** Up to three rounds: each free output chooses its oldest head, each free input takes one output in rotation. */
    private void serveAllHeads(final long slot)
    {
        final List<Input> free = new ArrayList<>(List.of(inputs));
        final boolean[] taken = new boolean[inputs.length];
        final List<Queue> served = new ArrayList<>();
        for (int round = 0; round < CLASSES; round++)
        {
            final Queue[] oldest = new Queue[inputs.length];
            for (final Input input : free)
            {
                for (final Queue queue : input.queues)
                {
                    final Packet head = queue.held.peek();
                    if (head != null && !taken[head.destination] && (oldest[head.destination] == null ||
                        head.arrival < oldest[head.destination].held.peek().arrival))
                    {
                        oldest[head.destination] = queue;
                    }
                }
            }
            for (final Input input : List.copyOf(free))
            {
                for (int turn = 0; turn < CLASSES; turn++)
                {
                    final int c = (input.nextToServe + turn) % CLASSES;
                    if (Arrays.asList(oldest).contains(input.queues[c]))
                    {
                        taken[input.queues[c].held.peek().destination] = true;
                        free.remove(input);
                        served.add(input.queues[c]);
                        input.nextToServe = (c + 1) % CLASSES;
                        break;
                    }
                }
            }
        }
        served.forEach(queue -> serve(queue, slot));
    }

    /** Each input requests the output of one head, the next in rotation; each output takes the oldest request. */
    private void serveOneRequest(final long slot)
    {
        final List<Queue> requests = new ArrayList<>();
        for (final Input input : inputs)
        {
            for (int turn = 0; turn < CLASSES; turn++)
            {
                final Queue queue = input.queues[(input.nextToServe + turn) % CLASSES];
                if (!queue.held.isEmpty())
                {
                    requests.add(queue);
                    break;
                }
            }
        }
        for (int output = 0; output < inputs.length; output++)
        {
            final int destination = output;
            requests.stream().filter(queue -> !queue.held.isEmpty() && queue.held.peek().destination == destination)
                .min(Comparator.comparingLong(queue -> queue.held.peek().arrival)).ifPresent(queue ->
                {
                    for (final Input input : inputs)
                    {
                        final int c = Arrays.asList(input.queues).indexOf(queue);
                        input.nextToServe = c < 0 ? input.nextToServe : (c + 1) % CLASSES;
                    }
                    requests.remove(queue);
                    serve(queue, slot);
                });
        }
    }

    private void serve(final Queue queue, final long slot)
    {
        queue.held.remove();
        delivered++;
        queue.departed++;
        final boolean isEnding =
            settings.policy() == PausePolicyKind.POOC || settings.upkeep() == PauseUpkeep.ROUTER;
        if (isEnding && queue.held.size() * BYTES <= LOW && queue.pauseEndNs > slot * SLOT_NS)
        {
            frames++;
            queue.pauseEndNs = slot * SLOT_NS;
            queue.dueNs = Long.MAX_VALUE;
            queue.stoppedUntilNs = slot * SLOT_NS;
        }
    }
}

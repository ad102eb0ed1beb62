package org.fibnuma.fabric.deadlock;

import org.fibnuma.fabric.tables.ForwardingTables;
import org.fibnuma.fabric.topology.Fabric;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;

/**
 * Simulates store-and-forward switches that never drop packets. Each channel ends in an input buffer of a few packets
 * at the switch that it leads to. A packet moves on when the buffer behind its next channel has room, one packet per
 * channel and step; which input comes first is random. This is PFC with the smallest buffers: a full buffer pauses its
 * sender. Servers receive their packets at once and send as soon as there is room.
 */
public final class LosslessNetwork
{
    private final Fabric fabric;
    private final ForwardingTables tables;
    private final int capacity;
    private final List<ArrayDeque<Packet>> buffers = new ArrayList<>();
    private final List<Queue<Packet>> waiting = new ArrayList<>();
    private final Random random;
    private long delivered;
    private long sent;
    private long steps;

    private record Packet(int server, long enteredAt)
    {
    }

    /**
     * Creates an empty network.
     *
     * @param tables   routes of the switches.
     * @param capacity packets that fit in an input buffer.
     * @param seed     of the random choice between the inputs of a switch.
     */
    public LosslessNetwork(final ForwardingTables tables, final int capacity, final long seed)
    {
        this.fabric = tables.fabric();
        this.tables = tables;
        this.capacity = capacity;
        this.random = new Random(seed);
        for (int channel = 0; channel < fabric.channelCount(); channel++)
        {
            buffers.add(new ArrayDeque<>());
        }
        for (int node = 0; node < fabric.switchCount(); node++)
        {
            waiting.add(new ArrayDeque<>());
        }
    }

    /** Queues packets at a server for a server of another switch. */
    public void send(final int fromServer, final int toServer, final int packets)
    {
        for (int i = 0; i < packets; i++)
        {
            waiting.get(fabric.serverSwitch(fromServer)).add(new Packet(toServer, -1));
            sent++;
        }
    }

    /** Runs until everything is delivered or nothing moves. Returns whether everything was delivered. */
    public boolean run()
    {
        boolean moved = true;
        while (moved && delivered < sent)
        {
            moved = step();
        }
        return delivered == sent;
    }

    private boolean step()
    {
        boolean moved = false;
        for (int channel = 0; channel < fabric.channelCount(); channel++)
        {
            moved |= deliver(channel);
        }
        for (int out = 0; out < fabric.channelCount(); out++)
        {
            moved |= fill(out);
        }
        steps++;
        return moved;
    }

    private boolean deliver(final int channel)
    {
        final Packet head = buffers.get(channel).peek();
        if (head != null && fabric.serverSwitch(head.server()) == fabric.target(channel))
        {
            buffers.get(channel).remove();
            delivered++;
            return true;
        }
        return false;
    }

    /** Sends one packet over a channel whose buffer has room, from an input of its switch or one of its servers. */
    private boolean fill(final int out)
    {
        if (buffers.get(out).size() >= capacity)
        {
            return false;
        }
        final int node = fabric.source(out);
        final int inputs = fabric.degree(node) + 1;
        final int begin = random.nextInt(inputs);
        for (int i = 0; i < inputs; i++)
        {
            final int input = (begin + i) % inputs;
            final Queue<Packet> queue = input == inputs - 1 ? waiting.get(node) :
                buffers.get(fabric.reverse(fabric.firstChannel(node) + input));
            final Packet head = queue.peek();
            if (head != null && head.enteredAt() < steps && fabric.serverSwitch(head.server()) != node &&
                tables.next(node, head.server()) == out)
            {
                queue.remove();
                buffers.get(out).add(new Packet(head.server(), steps));
                return true;
            }
        }
        return false;
    }

    /**
     * Returns buffers that wait for each other in a cycle, after {@link #run()} returned false: one line for each full
     * buffer and the one that it waits for. Empty if there is no cycle.
     */
    public List<String> waitingCycle()
    {
        final int[] seenAt = new int[fabric.channelCount()];
        for (int start = 0; start < fabric.channelCount(); start++)
        {
            final List<Integer> path = new ArrayList<>();
            int channel = start;
            while (channel >= 0 && seenAt[channel] == 0)
            {
                path.add(channel);
                seenAt[channel] = start + 1;
                channel = waitsFor(channel);
            }
            if (channel >= 0 && seenAt[channel] == start + 1)
            {
                return describe(path.subList(path.indexOf(channel), path.size()));
            }
        }
        return List.of();
    }

    /** Returns the channel that the head of a buffer waits for because its buffer is full, or -1. */
    private int waitsFor(final int channel)
    {
        final Packet head = buffers.get(channel).peek();
        if (head == null || fabric.serverSwitch(head.server()) == fabric.target(channel))
        {
            return -1;
        }
        final int next = tables.next(fabric.target(channel), head.server());
        return next != ForwardingTables.NONE && buffers.get(next).size() >= capacity ? next : -1;
    }

    private List<String> describe(final List<Integer> cycle)
    {
        final List<String> lines = new ArrayList<>();
        for (int i = 0; i < cycle.size(); i++)
        {
            final int channel = cycle.get(i);
            final int next = cycle.get((i + 1) % cycle.size());
            lines.add("buffer of " + fabric.describe(channel) + " (" + buffers.get(channel).size() +
                " packets, first for " + fabric.serverName(buffers.get(channel).element().server()) +
                ") waits for buffer of " + fabric.describe(next));
        }
        return lines;
    }

    /** {@return the number of delivered packets} */
    public long delivered()
    {
        return delivered;
    }

    /** {@return the number of packets queued by {@link #send}} */
    public long sent()
    {
        return sent;
    }

    /** {@return the number of steps taken} */
    public long steps()
    {
        return steps;
    }
}

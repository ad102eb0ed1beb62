package org.fibnuma.ipnuma.session;

import java.util.PriorityQueue;
import java.util.SplittableRandom;

/** One way between two sessions in virtual time, which loses, repeats, delays and spoils datagrams by a seed. */
final class LossyLink implements DatagramOutput
{
    private static final int MAX_LENGTH = 9000;

    private final SplittableRandom random;
    private final TestMemory scratch = new TestMemory(MAX_LENGTH);
    private final PriorityQueue<Flying> flying = new PriorityQueue<>();
    private final long delayNs;
    private double loss;
    private double duplication;
    private double reordering;
    private double corruption;
    private double marking;
    private long nowNs;
    private long counter;
    private int room = Integer.MAX_VALUE;
    private int longest;
    private long sent;

    LossyLink(final long seed, final long delayNs)
    {
        this.random = new SplittableRandom(seed);
        this.delayNs = delayNs;
    }

    /** Every fault with the same probability. */
    LossyLink faults(final double probability)
    {
        loss = probability;
        duplication = probability;
        reordering = probability;
        corruption = probability;
        return this;
    }

    LossyLink loss(final double probability)
    {
        loss = probability;
        return this;
    }

    LossyLink marking(final double probability)
    {
        marking = probability;
        return this;
    }

    void room(final int datagrams)
    {
        room = datagrams;
    }

    void time(final long now)
    {
        nowNs = now;
    }

    long sent()
    {
        return sent;
    }

    int longest()
    {
        return longest;
    }

    @Override
    public long claim(final int length)
    {
        return room > 0 ? scratch.address() : 0;
    }

    @Override
    public void commit(final int length, final boolean ecnCapable)
    {
        room--;
        sent++;
        longest = Math.max(longest, length);
        if (random.nextDouble() < loss)
        {
            return;
        }
        final int copies = random.nextDouble() < duplication ? 2 : 1;
        for (int i = 0; i < copies; i++)
        {
            final byte[] bytes = scratch.bytes(0, length);
            if (random.nextDouble() < corruption)
            {
                final int flips = 1 + random.nextInt(8);
                for (int flip = 0; flip < flips; flip++)
                {
                    bytes[random.nextInt(length)] ^= (byte)(1 << random.nextInt(8));
                }
            }
            final long late = random.nextDouble() < reordering ? random.nextLong(20 * delayNs) : 0;
            final boolean ce = ecnCapable && random.nextDouble() < marking;
            flying.add(new Flying(nowNs + delayNs + late, counter++, bytes, ce));
        }
    }

    /** Hands over a copy of a datagram as it was sent earlier. */
    void inject(final byte[] bytes, final long atNs)
    {
        flying.add(new Flying(atNs, counter++, bytes, false));
    }

    byte[] lastSent(final int length)
    {
        return scratch.bytes(0, length);
    }

    /** Hands over what is due. */
    int deliver(final Receiver receiver)
    {
        int count = 0;
        while (!flying.isEmpty() && flying.peek().dueNs <= nowNs)
        {
            final Flying datagram = flying.poll();
            receiver.onDatagram(datagram.bytes, datagram.ce);
            count++;
        }
        return count;
    }

    void drop()
    {
        flying.clear();
    }

    void close()
    {
        scratch.close();
    }

    /** Whoever is at the end. */
    interface Receiver
    {
        void onDatagram(byte[] bytes, boolean ce);
    }

    private record Flying(long dueNs, long order, byte[] bytes, boolean ce) implements Comparable<Flying>
    {
        @Override
        public int compareTo(final Flying other)
        {
            final int byTime = Long.compare(dueNs, other.dueNs);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }
}

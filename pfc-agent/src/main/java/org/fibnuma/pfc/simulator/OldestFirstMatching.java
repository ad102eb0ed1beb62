package org.fibnuma.pfc.simulator;

import java.util.Arrays;

/**
 * Selects the packets that cross the switch in a slot, at most one from each input and one to each output (table 1 of
 * the paper), as {@link Arbitration} describes.
 */
final class OldestFirstMatching
{
    /** No queue sends to this output. */
    static final int NO_QUEUE = -1;

    private final int ports;
    private final InputQueues queues;
    private final Arbitration arbitration;
    private final int[] chosen;
    private final int[] candidate;
    private final boolean[] isInputBusy;
    private final int[] nextClass;

    OldestFirstMatching(final int ports, final InputQueues queues, final Arbitration arbitration)
    {
        this.arbitration = arbitration;
        this.ports = ports;
        this.queues = queues;
        chosen = new int[ports];
        candidate = new int[ports];
        isInputBusy = new boolean[ports];
        nextClass = new int[ports];
    }

    /** Matches one slot; {@link #queueFor} returns the result. */
    void match()
    {
        Arrays.fill(chosen, NO_QUEUE);
        Arrays.fill(isInputBusy, false);
        final int rounds = arbitration == Arbitration.ALL_HEADS ? InputQueues.CLASSES : 1;
        for (int round = 0; round < rounds; round++)
        {
            choose();
            if (!accept())
            {
                return;
            }
        }
    }

    /** Returns the queue whose head goes to an output, or {@link #NO_QUEUE}. */
    int queueFor(final int output)
    {
        return chosen[output];
    }

    private void choose()
    {
        Arrays.fill(candidate, NO_QUEUE);
        for (int input = 0; input < ports; input++)
        {
            if (isInputBusy[input])
            {
                continue;
            }
            if (arbitration == Arbitration.ALL_HEADS)
            {
                requestAll(input);
            }
            else
            {
                requestOne(input);
            }
        }
    }

    private void requestAll(final int input)
    {
        final int end = (input + 1) * InputQueues.CLASSES;
        for (int queue = end - InputQueues.CLASSES; queue < end; queue++)
        {
            if (!queues.isEmpty(queue))
            {
                compete(queue);
            }
        }
    }

    private void requestOne(final int input)
    {
        for (int turn = 0; turn < InputQueues.CLASSES; turn++)
        {
            final int queue = input * InputQueues.CLASSES + (nextClass[input] + turn) % InputQueues.CLASSES;
            if (!queues.isEmpty(queue))
            {
                compete(queue);
                return;
            }
        }
    }

    private void compete(final int queue)
    {
        final int output = queues.headDestination(queue);
        if (chosen[output] == NO_QUEUE &&
            (candidate[output] == NO_QUEUE || queues.headArrival(queue) < queues.headArrival(candidate[output])))
        {
            candidate[output] = queue;
        }
    }

    private boolean accept()
    {
        boolean isProgress = false;
        for (int input = 0; input < ports; input++)
        {
            for (int turn = 0; turn < InputQueues.CLASSES && !isInputBusy[input]; turn++)
            {
                final int sum = nextClass[input] + turn;
                final int priority = sum < InputQueues.CLASSES ? sum : sum - InputQueues.CLASSES;
                final int queue = input * InputQueues.CLASSES + priority;
                if (!queues.isEmpty(queue) && candidate[queues.headDestination(queue)] == queue)
                {
                    chosen[queues.headDestination(queue)] = queue;
                    isInputBusy[input] = true;
                    nextClass[input] = priority + 1 == InputQueues.CLASSES ? 0 : priority + 1;
                    isProgress = true;
                }
            }
        }
        return isProgress;
    }
}

package org.fibnuma.fabric.tables;

import org.fibnuma.fabric.topology.Fabric;

import java.util.Arrays;

/**
 * The switches in an order in which each precedes the next switch on its path to one server. In this order, what all
 * switches send can be added up in one pass. In reverse order, what holds at the server's switch can be passed back.
 */
final class DestinationTree
{
    private final ForwardingTables tables;
    private final Fabric fabric;
    private final int[] order;
    private final int[] waiting;

    DestinationTree(final ForwardingTables tables)
    {
        this.tables = tables;
        this.fabric = tables.fabric();
        this.order = new int[fabric.switchCount()];
        this.waiting = new int[fabric.switchCount()];
    }

    /**
     * Orders the switches other than the server's own; returns false if the entries have a loop, and then there is no
     * order.
     */
    boolean arrange(final int server)
    {
        final int destination = fabric.serverSwitch(server);
        for (int node = 0; node < waiting.length; node++)
        {
            final int out = node == destination ? ForwardingTables.NONE : tables.next(node, server);
            if (out != ForwardingTables.NONE)
            {
                waiting[fabric.target(out)]++;
            }
        }
        int tail = 0;
        for (int node = 0; node < waiting.length; node++)
        {
            if (waiting[node] == 0 && node != destination)
            {
                order[tail++] = node;
            }
        }
        for (int head = 0; head < tail; head++)
        {
            final int out = tables.next(order[head], server);
            final int node = out == ForwardingTables.NONE ? destination : fabric.target(out);
            if (node != destination && --waiting[node] == 0)
            {
                order[tail++] = node;
            }
        }
        Arrays.fill(waiting, 0);
        return tail == waiting.length - 1;
    }

    int size()
    {
        return order.length - 1;
    }

    int node(final int place)
    {
        return order[place];
    }
}

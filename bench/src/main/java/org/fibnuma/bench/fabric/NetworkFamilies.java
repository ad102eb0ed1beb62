package org.fibnuma.bench.fabric;

import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.topology.FabricBuilder;

import java.util.Random;

/** Generates networks of known families. */
final class NetworkFamilies
{
    /** Swaps for each cable, after which the network no longer depends on the ring. */
    private static final int SWAPS = 20;

    private NetworkFamilies()
    {
    }

    /** Returns a torus of two dimensions with one server at each switch. */
    static Fabric torus(final int columns, final int rows)
    {
        final FabricBuilder builder = switches("torus", columns * rows);
        for (int node = 0; node < columns * rows; node++)
        {
            final int row = node / columns;
            builder.addParallelCable(node, row * columns + (node + 1) % columns);
            builder.addParallelCable(node, (row + 1) % rows * columns + node % columns);
        }
        return withServers(builder, columns * rows, 1);
    }

    /** Returns a mesh of two dimensions with one server at each switch. */
    static Fabric mesh(final int columns, final int rows)
    {
        final FabricBuilder builder = switches("mesh", columns * rows);
        for (int node = 0; node < columns * rows; node++)
        {
            if (node % columns + 1 < columns)
            {
                builder.addParallelCable(node, node + 1);
            }
            if (node + columns < columns * rows)
            {
                builder.addParallelCable(node, node + columns);
            }
        }
        return withServers(builder, columns * rows, 1);
    }

    /** Returns a hypercube with one server at each switch. */
    static Fabric hypercube(final int dimensions)
    {
        final int count = 1 << dimensions;
        final FabricBuilder builder = switches("hypercube", count);
        for (int node = 0; node < count; node++)
        {
            for (int bit = 1; bit < count; bit <<= 1)
            {
                if ((node & bit) == 0)
                {
                    builder.addParallelCable(node, node | bit);
                }
            }
        }
        return withServers(builder, count, 1);
    }

    /**
     * Returns a random network whose switches have equally many cables, at most one between two switches: a ring with
     * chords, in which two random cables often swap their ends.
     */
    static Fabric randomRegular(final int count, final int degree, final int servers, final long seed)
    {
        final Random random = new Random(seed);
        final boolean[][] connected = new boolean[count][count];
        final int[][] cables = new int[count * degree / 2][];
        for (int i = 0; i < cables.length; i++)
        {
            final int a = i % count;
            cables[i] = new int[]{a, (a + i / count + 1) % count};
            connected[a][cables[i][1]] = true;
            connected[cables[i][1]][a] = true;
        }
        for (int swap = 0; swap < SWAPS * cables.length; swap++)
        {
            swapEnds(cables[random.nextInt(cables.length)], cables[random.nextInt(cables.length)], connected);
        }
        final FabricBuilder builder = switches("random regular network", count);
        for (final int[] cable : cables)
        {
            builder.addParallelCable(cable[0], cable[1]);
        }
        return withServers(builder, count, servers);
    }

    private static void swapEnds(final int[] cable, final int[] other, final boolean[][] connected)
    {
        final int a = cable[0];
        final int b = cable[1];
        final int c = other[0];
        final int d = other[1];
        if (a != d && c != b && a != c && b != d && !connected[a][d] && !connected[c][b])
        {
            connected[a][b] = false;
            connected[b][a] = false;
            connected[c][d] = false;
            connected[d][c] = false;
            connected[a][d] = true;
            connected[d][a] = true;
            connected[c][b] = true;
            connected[b][c] = true;
            cable[1] = d;
            other[0] = b;
            other[1] = c;
        }
    }

    /**
     * Returns a dragonfly (Kim et al., ISCA 2008): groups of {@code a} fully connected switches, each with {@code h}
     * cables to other groups and {@code h} servers, and one cable between every two of its {@code a h + 1} groups.
     */
    static Fabric dragonfly(final int a, final int h)
    {
        final int groups = a * h + 1;
        final FabricBuilder builder = switches("dragonfly", groups * a);
        for (int group = 0; group < groups; group++)
        {
            for (int i = 0; i < a; i++)
            {
                for (int j = i + 1; j < a; j++)
                {
                    builder.addParallelCable(group * a + i, group * a + j);
                }
            }
            for (int other = group + 1; other < groups; other++)
            {
                final int there = other - group - 1;
                final int back = groups - 1 - (other - group);
                builder.addParallelCable(group * a + there / h, other * a + back / h);
            }
        }
        return withServers(builder, groups * a, h);
    }

    /**
     * Returns a slim fly (Besta and Hoefler, SC 2014) for a prime q of the form 4 w + 1: two halves of q groups of q
     * switches; inside the groups the even powers of a generator are the differences of connected switches in the first
     * half and the odd powers in the second; (0, x, y) and (1, m, c) are connected if y = m x + c.
     */
    static Fabric slimFly(final int q, final int generator, final int servers)
    {
        final boolean[] isEvenPower = new boolean[q];
        int power = 1;
        for (int exponent = 0; exponent < q - 1; exponent++)
        {
            isEvenPower[power] = exponent % 2 == 0;
            power = power * generator % q;
        }
        final FabricBuilder builder = switches("slim fly", 2 * q * q);
        for (int group = 0; group < q; group++)
        {
            for (int y = 0; y < q; y++)
            {
                for (int other = y + 1; other < q; other++)
                {
                    final int half = isEvenPower[other - y] ? 0 : q * q;
                    builder.addParallelCable(half + group * q + y, half + group * q + other);
                }
                for (int m = 0; m < q; m++)
                {
                    builder.addParallelCable(group * q + y, q * q + m * q + Math.floorMod(y - m * group, q));
                }
            }
        }
        return withServers(builder, 2 * q * q, servers);
    }

    private static FabricBuilder switches(final String name, final int count)
    {
        final FabricBuilder builder = new FabricBuilder(name);
        for (int node = 0; node < count; node++)
        {
            builder.addSwitch("S" + node, Fabric.NO_GUID, -1);
        }
        return builder;
    }

    private static Fabric withServers(final FabricBuilder builder, final int count, final int servers)
    {
        for (int server = 0; server < count * servers; server++)
        {
            builder.addServer(server / servers, "H" + server);
        }
        return builder.build();
    }
}

package org.fibnuma.bench.fabric;

import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.topology.FabricBuilder;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Generates networks of known families. */
final class NetworkFamilies
{
    /** Swaps for each cable, after which the network no longer depends on the ring. */
    private static final int SWAPS = 20;

    private NetworkFamilies()
    {
    }

    /** Returns a torus with one server at each switch; each size is 3 or more. */
    static Fabric torus(final int... sizes)
    {
        return grid("torus", true, sizes);
    }

    /** Returns a mesh with one server at each switch. */
    static Fabric mesh(final int... sizes)
    {
        return grid("mesh", false, sizes);
    }

    private static Fabric grid(final String name, final boolean isClosed, final int... sizes)
    {
        final int count = Arrays.stream(sizes).reduce(1, Math::multiplyExact);
        final FabricBuilder builder = switches(name, count);
        for (int node = 0; node < count; node++)
        {
            int stride = 1;
            for (final int size : sizes)
            {
                final int position = node / stride % size;
                if (isClosed || position + 1 < size)
                {
                    builder.addParallelCable(node, node + ((position + 1) % size - position) * stride);
                }
                stride *= size;
            }
        }
        return withServers(builder, count, 1);
    }

    /** Returns a HyperX (Ahn et al., SC 2009): a grid in which all switches of a line are connected to each other. */
    static Fabric hyperX(final int servers, final int... sizes)
    {
        final int count = Arrays.stream(sizes).reduce(1, Math::multiplyExact);
        final FabricBuilder builder = switches("HyperX", count);
        for (int node = 0; node < count; node++)
        {
            int stride = 1;
            for (final int size : sizes)
            {
                for (int other = node / stride % size + 1; other < size; other++)
                {
                    builder.addParallelCable(node, node + (other - node / stride % size) * stride);
                }
                stride *= size;
            }
        }
        return withServers(builder, count, servers);
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
     * Returns a slim fly (Besta and Hoefler, SC 2014, after McKay, Miller and Siran) for a prime q of the form 4 w + 1
     * or 4 w - 1: two halves of q groups of q switches. Inside the groups, powers of a generator are the differences of
     * connected switches: for 4 w + 1 the even powers in the first half and the odd ones in the second; for 4 w - 1 the
     * exponents 0, 2, ... 2 w - 2, 2 w - 1, 2 w + 1, ... 4 w - 3, and in the second half these exponents plus 1.
     * (0, x, y) and (1, m, c) are connected if y = m x + c.
     */
    static Fabric slimFly(final int q, final int generator, final int servers)
    {
        final boolean[][] isDifference = new boolean[2][q];
        int power = 1;
        for (int exponent = 0; exponent < q - 1; exponent++)
        {
            final int next = power * generator % q;
            final boolean isFirst = exponent % 2 == (q % 4 == 1 || exponent < (q - 1) / 2 ? 0 : 1);
            isDifference[0][power] |= isFirst;
            isDifference[1][next] |= isFirst;
            power = next;
        }
        final FabricBuilder builder = switches("slim fly", 2 * q * q);
        for (int group = 0; group < q; group++)
        {
            for (int y = 0; y < q; y++)
            {
                for (int other = y + 1; other < q; other++)
                {
                    for (int half = 0; half < 2; half++)
                    {
                        if (isDifference[half][other - y])
                        {
                            builder.addParallelCable((half * q + group) * q + y, (half * q + group) * q + other);
                        }
                    }
                }
                for (int m = 0; m < q; m++)
                {
                    builder.addParallelCable(group * q + y, q * q + m * q + Math.floorMod(y - m * group, q));
                }
            }
        }
        return withServers(builder, 2 * q * q, servers);
    }

    /**
     * Returns an Xpander (Valadarsky et al., CoNEXT 2016): a random lift of the complete graph of degree + 1 switches.
     * Each switch becomes {@code lift} switches, each cable a random matching between them.
     */
    static Fabric xpander(final int degree, final int lift, final int servers, final long seed)
    {
        final Random random = new Random(seed);
        final FabricBuilder builder = switches("Xpander", (degree + 1) * lift);
        final List<Integer> matching = new ArrayList<>();
        for (int i = 0; i < lift; i++)
        {
            matching.add(i);
        }
        for (int a = 0; a <= degree; a++)
        {
            for (int b = a + 1; b <= degree; b++)
            {
                Collections.shuffle(matching, random);
                for (int i = 0; i < lift; i++)
                {
                    builder.addParallelCable(a * lift + i, b * lift + matching.get(i));
                }
            }
        }
        return withServers(builder, (degree + 1) * lift, servers);
    }

    /**
     * Returns the words of letters 0 to {@code letters} - 1, connected if one follows from the other by removing the
     * first letter and appending another: a de Bruijn network or, if a letter never follows itself, a Kautz network.
     */
    static Fabric words(final int letters, final int length, final boolean isKautz)
    {
        final int all = (int)Math.pow(letters, length);
        final int[] number = new int[all];
        int count = 0;
        for (int word = 0; word < all; word++)
        {
            number[word] = isKautz && repeatsALetter(word, letters, length) ? -1 : count++;
        }
        final FabricBuilder builder = switches(isKautz ? "Kautz network" : "de Bruijn network", count);
        final Set<Long> cables = new HashSet<>();
        for (int word = 0; word < all; word++)
        {
            for (int letter = 0; letter < letters; letter++)
            {
                final int next = word * letters % all + letter;
                final int a = Math.min(word, next);
                final int b = Math.max(word, next);
                if (number[a] >= 0 && number[b] >= 0 && a != b && cables.add((long)a * all + b))
                {
                    builder.addParallelCable(number[a], number[b]);
                }
            }
        }
        return withServers(builder, count, 1);
    }

    private static boolean repeatsALetter(final int word, final int letters, final int length)
    {
        int rest = word;
        for (int i = 1; i < length; i++)
        {
            if (rest % letters == rest / letters % letters)
            {
                return true;
            }
            rest /= letters;
        }
        return false;
    }

    /**
     * Returns a cubic network of its LCF notation (Lederberg, Coxeter, Frucht): a ring, and from switch i a chord over
     * {@code chords[i mod chords.length]} switches. Moebius-Kantor is [5, -5] of 16, the Tutte-Coxeter cage
     * [-13, -9, 7, -7, 9, 13] of 30.
     */
    static Fabric cubic(final int count, final int... chords)
    {
        final FabricBuilder builder = switches("cubic network", count);
        for (int node = 0; node < count; node++)
        {
            builder.addParallelCable(node, (node + 1) % count);
        }
        for (int node = 0; node < count; node++)
        {
            final int other = Math.floorMod(node + chords[node % chords.length], count);
            if (node < other)
            {
                builder.addParallelCable(node, other);
            }
        }
        return withServers(builder, count, 1);
    }

    /** Returns a network without some random cables, all of whose switches are still connected. */
    static Fabric failed(final Fabric fabric, final int cables, final long seed)
    {
        final List<Integer> left = new ArrayList<>();
        for (int channel = 0; channel < fabric.channelCount(); channel++)
        {
            if (channel < fabric.reverse(channel))
            {
                left.add(channel);
            }
        }
        Collections.shuffle(left, new Random(seed));
        final FabricBuilder builder = new FabricBuilder("network with failed cables");
        for (int node = 0; node < fabric.switchCount(); node++)
        {
            builder.addSwitch(fabric.switchName(node), Fabric.NO_GUID, fabric.level(node));
        }
        left.stream().skip(cables).sorted()
            .forEach(channel -> builder.addParallelCable(fabric.source(channel), fabric.target(channel)));
        for (int server = 0; server < fabric.serverCount(); server++)
        {
            builder.addServer(fabric.serverSwitch(server), fabric.serverName(server));
        }
        return builder.build();
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

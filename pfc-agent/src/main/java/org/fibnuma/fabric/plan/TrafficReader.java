package org.fibnuma.fabric.plan;

import org.fibnuma.core.UserException;
import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.topology.TextFile;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Reads a demand. Lines {@code from to amount} have names of servers; other pairs have 0. Instead there may be groups:
 * lines {@code group name server...}, {@code inside n} and {@code between n}, the amounts for every pair of servers
 * inside a group and of different groups. A server in no group forms a group of its own. Text after # is a comment.
 */
public final class TrafficReader
{
    private static final long MAX_AMOUNT = 1_000_000;

    private final Fabric fabric;
    private final Map<String, Integer> servers = new HashMap<>();
    private final int[] group;
    private final Map<Long, Long> entries = new HashMap<>();
    private final long[] sent;
    private final long[] received;
    private boolean hasGroups;
    private long inside = 1;
    private long between = 1;
    private int groups;

    private TrafficReader(final Fabric fabric)
    {
        this.fabric = fabric;
        this.group = new int[fabric.serverCount()];
        this.sent = new long[fabric.serverCount()];
        this.received = new long[fabric.serverCount()];
        Arrays.setAll(group, server -> -1 - server);
        for (int server = 0; server < group.length; server++)
        {
            servers.put(fabric.serverName(server), server);
        }
    }

    /**
     * Reads a file.
     *
     * @throws UserException with one line, if it cannot be read or has a fault.
     */
    public static Demand read(final Fabric fabric, final Path file)
    {
        final TrafficReader reader = new TrafficReader(fabric);
        final String text = TextFile.read(file, Integer.MAX_VALUE, "the traffic", "lines \"from to amount\"");
        TextFile.forEachLine(file.toString(), text, (place, line) -> reader.readLine(place, line.split("\\s+")));
        return reader.hasGroups ? reader.grouped() : reader.matrix(file);
    }

    private void readLine(final String place, final String[] words)
    {
        if (words[0].equals("group") && words.length > 2)
        {
            hasGroups = true;
            groups++;
            for (int i = 2; i < words.length; i++)
            {
                group[server(place, words[i])] = groups;
            }
        }
        else if (words[0].equals("inside") && words.length == 2)
        {
            inside = amount(place, words[1]);
        }
        else if (words[0].equals("between") && words.length == 2)
        {
            between = amount(place, words[1]);
        }
        else if (words.length == 3)
        {
            addEntry(server(place, words[0]), server(place, words[1]), amount(place, words[2]));
        }
        else
        {
            throw UserException.usage(place + ": neither \"from to amount\" nor \"group name server...\", " +
                "\"inside n\" or \"between n\"");
        }
    }

    private void addEntry(final int from, final int to, final long amount)
    {
        entries.merge((long)fabric.serverSwitch(from) << Integer.SIZE | to, amount, Long::sum);
        sent[from] += amount;
        received[to] += amount;
    }

    private int server(final String place, final String name)
    {
        final Integer server = servers.get(name);
        if (server == null)
        {
            throw UserException.usage(place + ": unknown server \"" + name + "\"; correct the name");
        }
        return server;
    }

    private static long amount(final String place, final String word)
    {
        if (!word.matches("\\d{1,7}") || Long.parseLong(word) > MAX_AMOUNT)
        {
            throw UserException.usage(place + ": \"" + word + "\" is not an amount from 0 to " + MAX_AMOUNT);
        }
        return Long.parseLong(word);
    }

    private Demand matrix(final Path file)
    {
        final long busiest = Math.max(Arrays.stream(sent).max().orElse(0), Arrays.stream(received).max().orElse(0));
        if (busiest == 0)
        {
            throw UserException.usage(file + ": contains no traffic; a line is \"from to amount\"");
        }
        return new Matrix(entries, busiest);
    }

    private Demand grouped()
    {
        final long[] size = new long[groups + 1];
        for (final int number : group)
        {
            size[Math.max(0, number)]++;
        }
        long busiest = 1;
        for (int server = 0; server < group.length; server++)
        {
            final long own = group[server] > 0 ? size[group[server]] : 1;
            busiest = Math.max(busiest, (own - 1) * inside + (group.length - own) * between);
        }
        return new Groups(fabric, group, inside, between, busiest);
    }

    private record Matrix(Map<Long, Long> entries, long busiestServer) implements Demand
    {
        @Override
        public long between(final int fromSwitch, final int toServer)
        {
            return entries.getOrDefault((long)fromSwitch << Integer.SIZE | toServer, 0L);
        }
    }

    private record Groups(Fabric fabric, int[] group, long inside, long between, long busiestServer) implements Demand
    {
        @Override
        public long between(final int fromSwitch, final int toServer)
        {
            long sum = 0;
            for (int server = fabric.firstServer(fromSwitch); server < fabric.firstServer(fromSwitch + 1); server++)
            {
                sum += group[server] == group[toServer] ? inside : between;
            }
            return sum;
        }
    }
}

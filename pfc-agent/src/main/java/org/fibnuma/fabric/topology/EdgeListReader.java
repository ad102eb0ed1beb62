package org.fibnuma.fabric.topology;

import org.fibnuma.core.UserException;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Reads an edge list. A line {@code a b} is a cable between two switches. A line {@code servers a n} gives switch a n
 * servers; the default is one. Names are any words; if all are numbers, they order the switches. Text after # is a
 * comment. Ports are numbered in the order of the lines, servers first.
 */
final class EdgeListReader
{
    private static final String SERVERS = "servers";
    private static final int MAX_SERVERS = 10_000;

    private final String file;
    private final List<Line> cables = new ArrayList<>();
    private final Map<String, Line> servers = new LinkedHashMap<>();

    private record Line(String place, String first, String second)
    {
    }

    private EdgeListReader(final String file)
    {
        this.file = file;
    }

    static Fabric read(final String file, final String text)
    {
        final EdgeListReader reader = new EdgeListReader(file);
        TextFile.forEachLine(file, text, reader::readLine);
        return reader.build();
    }

    private void readLine(final String place, final String line)
    {
        final String[] words = line.split("\\s+");
        if (words.length == 3 && words[0].equals(SERVERS))
        {
            if (!words[2].matches("\\d{1,5}") || Integer.parseInt(words[2]) > MAX_SERVERS)
            {
                throw UserException.usage(place + ": \"" + words[2] + "\" is not a number of servers from 0 to " +
                    MAX_SERVERS);
            }
            if (servers.put(words[1], new Line(place, words[1], words[2])) != null)
            {
                throw UserException.usage(place + ": the servers of \"" + words[1] + "\" are given twice");
            }
        }
        else if (words.length == 2)
        {
            cables.add(new Line(place, words[0], words[1]));
        }
        else
        {
            throw UserException.usage(place + ": \"" + line + "\" is neither \"a b\" nor \"servers a n\"");
        }
    }

    private Fabric build()
    {
        final FabricBuilder builder = new FabricBuilder(file);
        for (final String name : switchNames())
        {
            builder.addSwitch(name, Fabric.NO_GUID, -1);
        }
        for (final Line line : servers.values())
        {
            builder.at(line.place()).require(line.first());
        }
        int server = 0;
        for (final String name : switchNames())
        {
            final int count = servers.containsKey(name) ? Integer.parseInt(servers.get(name).second()) : 1;
            for (int i = 0; i < count; i++)
            {
                builder.addServer(builder.require(name), "H" + server++);
            }
        }
        for (final Line line : cables)
        {
            builder.at(line.place()).addCable(builder.require(line.first()), builder.require(line.second()));
        }
        return builder.at(file).build();
    }

    private List<String> switchNames()
    {
        final TreeSet<String> names = new TreeSet<>(EdgeListReader::compare);
        for (final Line line : cables)
        {
            names.add(line.first());
            names.add(line.second());
        }
        return List.copyOf(names);
    }

    private static int compare(final String a, final String b)
    {
        final boolean numbers = a.matches("\\d{1,9}") && b.matches("\\d{1,9}");
        return numbers ? Integer.compare(Integer.parseInt(a), Integer.parseInt(b)) : a.compareTo(b);
    }
}

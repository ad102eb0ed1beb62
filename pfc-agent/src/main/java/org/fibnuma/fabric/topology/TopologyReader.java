package org.fibnuma.fabric.topology;

import org.fibnuma.core.UserException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads a topology in any form: JSON, output of ibnetdiscover, input of ibsim, edge list, NetBox's export of cables,
 * folder of LLDP dumps, or the name of a generated network. Names are such as {@code joined-fat-trees:k=8,join=middle},
 * {@code fat-tree:k=4} or {@code random:switches=20,ports=10,servers=10,seed=1}.
 */
public final class TopologyReader
{
    private static final Pattern GENERATED =
        Pattern.compile("(joined-fat-trees|fat-tree|random):([a-z]+=[\\w-]+(?:,[a-z]+=[\\w-]+)*)");
    private static final Pattern IB_LINE = Pattern.compile("(?m)^(?:Switch|Hca|Ca)\\s+\\d+\\s+\"");

    /** Networks of 100,000 cables are a tenth of this in every form. */
    private static final long MAX_BYTES = 64L << 20;

    private TopologyReader()
    {
    }

    /**
     * Reads a topology from a file, a folder or the name of a generated network.
     *
     * @throws UserException with one line, if it cannot be read.
     */
    public static Fabric read(final String name)
    {
        return read(name, Set.of());
    }

    /**
     * Reads a topology as {@link #read(String)}. Interfaces of switches and devices with an ignored name are left out
     * of LLDP dumps and NetBox exports.
     */
    public static Fabric read(final String name, final Set<String> ignored)
    {
        return GENERATED.matcher(name).matches() ? generate(name).fabric() : readFile(Path.of(name), ignored);
    }

    /** {@return the structure of a generated fat tree; null if the name is that of another topology} */
    public static JoinedFatTrees fatTrees(final String name)
    {
        return GENERATED.matcher(name).matches() ? generate(name).trees() : null;
    }

    private static Fabric readFile(final Path file, final Set<String> ignored)
    {
        if (Files.isDirectory(file))
        {
            return LldpReader.read(file.toString(), dumps(file), ignored);
        }
        final String text = text(file);
        if (NetBoxReader.isExport(text))
        {
            final Path devices = file.resolveSibling("devices.csv");
            return NetBoxReader.read(file.toString(), text, Files.exists(devices) ? text(devices) : null, ignored);
        }
        if (text.stripLeading().startsWith("{"))
        {
            return JsonTopologyReader.read(file.toString(), text, ignored);
        }
        return IB_LINE.matcher(text).find() ?
            IbNetReader.read(file.toString(), text) : EdgeListReader.read(file.toString(), text);
    }

    private static String text(final Path file)
    {
        return TextFile.read(file, MAX_BYTES, "a topology", "an edge list, JSON or the output of ibnetdiscover");
    }

    private static Map<String, String> dumps(final Path folder)
    {
        final TreeMap<String, String> dumps = new TreeMap<>();
        try (Stream<Path> files = Files.list(folder))
        {
            files.filter(file -> file.toString().endsWith(".json")).forEach(
                file -> dumps.put(file.getFileName().toString().replaceFirst("\\.json$", ""), text(file)));
        }
        catch (final IOException ex)
        {
            throw TextFile.unreadable(folder, ex);
        }
        return dumps;
    }

    private record Generated(Fabric fabric, JoinedFatTrees trees)
    {
    }

    private static Generated generate(final String name)
    {
        final Matcher matcher = GENERATED.matcher(name);
        matcher.matches();
        final TreeMap<String, String> options = new TreeMap<>();
        for (final String option : matcher.group(2).split(","))
        {
            options.put(option.substring(0, option.indexOf('=')), option.substring(option.indexOf('=') + 1));
        }
        final Generated generated;
        if (matcher.group(1).equals("random"))
        {
            final int seed = number(name, options, "seed", 1);
            generated = new Generated(RandomNetwork.generate(number(name, options, "switches", 20),
                number(name, options, "ports", 10), number(name, options, "servers", 10),
                new Random(seed)), null);
        }
        else
        {
            final int ports = number(name, options, "k", 4);
            final JoinedFatTrees trees = matcher.group(1).equals("fat-tree") ? JoinedFatTrees.single(ports) :
                JoinedFatTrees.joined(ports, join(name, options.getOrDefault("join", "middle")));
            options.remove("join");
            generated = new Generated(trees.fabric(), trees);
        }
        if (!options.isEmpty())
        {
            throw UserException.usage(name + ": unknown option \"" + options.firstKey() + "\"");
        }
        return generated;
    }

    private static JoinLevel join(final String name, final String level)
    {
        for (final JoinLevel join : JoinLevel.values())
        {
            if (join.name().replace('_', '-').equalsIgnoreCase(level))
            {
                return join;
            }
        }
        throw UserException.usage(name + ": unknown join \"" + level + "\"; use top, middle, bottom or top-but-one");
    }

    private static int number(
        final String name, final TreeMap<String, String> options, final String option, final int other)
    {
        final String value = options.remove(option);
        if (value != null && !value.matches("\\d{1,6}"))
        {
            throw UserException.usage(name + ": " + option + " \"" + value + "\" is not a number");
        }
        return value == null ? other : Integer.parseInt(value);
    }
}

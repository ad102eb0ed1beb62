package org.fibnuma.bench.report;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The commands that measure, as words without the launcher. The quick ones together take less than five minutes on two
 * cores; the others have the defaults of their options, unless a figure needs others.
 */
final class CommandLines
{
    private final boolean isQuick;
    private final Path directory;

    /**
     * Creates the commands.
     *
     * @param isQuick   whether they are the quick ones.
     * @param directory for their files.
     */
    CommandLines(final boolean isQuick, final Path directory)
    {
        this.isQuick = isQuick;
        this.directory = directory;
    }

    /** Returns the directory of a source of figures for files, relative to the report's. */
    Path directory(final String name)
    {
        return directory.resolve(name);
    }

    List<String> pingPong()
    {
        return command("bench pingpong --routers " + (isQuick ? "0,1" : "0,1,4"), "--runs 1 --limit-seconds 1");
    }

    List<String> memcached()
    {
        return command("bench memcached --routers " + (isQuick ? "0" : "0,1,4"),
            "--sizes 16,512 --commands 500 --runs 2");
    }

    /** A router by frame size. */
    List<String> forwarding()
    {
        return command("bench rfc2544", "--rig veth --frame-sizes 64,512,1518" + quickTrials());
    }

    /** Three inputs and one output. */
    List<String> overload()
    {
        return command("bench pipeline --overload 3 --egress-fifo-depth 1", "");
    }

    /** A router with a table of the thesis's size, one input and three outputs. */
    List<String> fullTable()
    {
        return command("bench rfc2544 --rig veth --ports 1:3 --routes 410000 --frame-sizes 64,1518", quickTrials());
    }

    /** A router of IPv6 with as many routes as the thesis has. */
    List<String> ipv6()
    {
        return command("bench rfc2544 --rig veth --family 6 --routes 32 --frame-sizes 80,1518", quickTrials());
    }

    private static String quickTrials()
    {
        return " --tests latency --seconds 0.2 --resolution 5";
    }

    List<String> pauseSweep()
    {
        return with(command("pfc simulate --sweep", "--slots 60000"), "--output", directory("pause").toString());
    }

    List<String> randomNetworks()
    {
        return evaluate("--figure 21", "--networks 2");
    }

    List<String> joinedTrees()
    {
        return evaluate("--figure 22", "");
    }

    List<String> treesBySize()
    {
        return evaluate("--figure 25", "--largest-ports 16");
    }

    List<String> joiningTurns()
    {
        return evaluate("--table 2", "--largest-ports 16");
    }

    /** Checks a configuration. */
    List<String> check(final Path file)
    {
        return with(command("pfc check", ""), "-c", file.toString());
    }

    private List<String> evaluate(final String options, final String quick)
    {
        return with(command("fabric evaluate " + options, quick), "--out", directory("turns").toString());
    }

    private List<String> command(final String always, final String quick)
    {
        return List.of((always + " " + (isQuick ? quick : "") + " --json").split(" +"));
    }

    private static List<String> with(final List<String> command, final String option, final String value)
    {
        final List<String> words = new ArrayList<>(command);
        words.add(option);
        words.add(value);
        return List.copyOf(words);
    }
}

package org.fibnuma.bench.forward;

import org.fibnuma.core.UserException;
import org.fibnuma.core.service.netns.ChildProcess;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** DPDK's l3fwd, built from the source in DPDK's package, and its rule files, in the directory of a rig. */
final class L3fwdProgram
{
    private static final Path EXAMPLES = Path.of("/usr/share/dpdk/examples");
    private static final Path SOURCE = EXAMPLES.resolve("l3fwd");
    /** End of the names of C files that are included by other files and not compiled. */
    private static final String INCLUDED = "_route_parse.c";
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    private final Path directory;

    private L3fwdProgram(final Path directory)
    {
        this.directory = directory;
    }

    /**
     * Checks that the source and the tools to build l3fwd are installed.
     *
     * @throws UserException if something is missing; the message names the packages to install.
     */
    static void requireParts()
    {
        final List<String> missing = new ArrayList<>();
        if (!ChildProcess.isInstalled("gcc"))
        {
            missing.add("gcc");
        }
        if (!ChildProcess.isInstalled("pkg-config"))
        {
            missing.add("pkg-config");
        }
        else if (!hasLibrary())
        {
            missing.add("libdpdk-dev");
        }
        if (!Files.isReadable(SOURCE.resolve("main.c")))
        {
            missing.add("dpdk-doc");
        }
        if (!missing.isEmpty())
        {
            throw new UserException("--l3fwd builds DPDK's sample router, for which something is not installed: " +
                "apt-get install " + String.join(" ", missing));
        }
    }

    private static boolean hasLibrary()
    {
        try
        {
            ChildProcess.run(PATIENCE, "pkg-config", "--exists", "libdpdk");
            return true;
        }
        catch (final UserException ignore)
        {
            return false;
        }
    }

    /**
     * Builds l3fwd for the rig's tables and captures.
     *
     * @param rig rig; its directory gets a subdirectory with the program.
     * @return the program, ready to run.
     * @throws UserException if the source is of another version or does not compile.
     */
    static L3fwdProgram build(final ForwardRig rig)
    {
        final L3fwdProgram program = new L3fwdProgram(rig.directory().resolve("l3fwd"));
        try
        {
            Files.createDirectory(program.directory);
            final L3fwdRules rules = new L3fwdRules(rig.table());
            new L3fwdSource(SOURCE).copy(program.directory, L3fwdSource.changes(rules, rig.frames()));
            rules.write(program.ipv4Rules(), program.ipv6Rules());
            program.compile();
            return program;
        }
        catch (final IOException ex)
        {
            throw new UserException("cannot build l3fwd in " + program.directory + ": " + ex.getMessage(), ex);
        }
    }

    private void compile() throws IOException
    {
        final List<String> arguments = new ArrayList<>(List.of(
            "-O3", "-march=native", "-w", "-DALLOW_EXPERIMENTAL_API", "-I" + EXAMPLES.resolve("common"),
            "-o", executable().toString()));
        try (Stream<Path> files = Files.list(directory))
        {
            files.map(Path::toString).filter(name -> name.endsWith(".c")).sorted()
                .filter(name -> !name.endsWith(INCLUDED)).forEach(arguments::add);
        }
        arguments.addAll(Arrays.asList(
            ChildProcess.run(PATIENCE, "pkg-config", "--cflags", "--libs", "libdpdk").trim().split("\\s+")));
        final Path file = directory.resolve("arguments");
        Files.write(file, arguments);
        ChildProcess.run(PATIENCE, "gcc", "@" + file);
    }

    Path executable()
    {
        return directory.resolve("l3fwd");
    }

    Path ipv4Rules()
    {
        return directory.resolve("ipv4.rules");
    }

    Path ipv6Rules()
    {
        return directory.resolve("ipv6.rules");
    }
}

package org.fibnuma.bench.lab;

import org.fibnuma.core.UserException;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.Host;
import org.fibnuma.core.service.netns.JavaProgram;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Makes archives of the classes that a router and a command load from the jars of this class path. A JVM that is given
 * one by {@code -XX:SharedArchiveFile} maps these classes instead of loading them. Needs root and iproute2.
 */
public final class ClassDataArchives
{
    /** Archive of a router that forwards between AF_XDP ports. */
    public static final String ROUTER = "router.jsa";
    /** Archive of a command that asks a router. */
    public static final String COMMAND = "command.jsa";

    private static final String MAIN_CLASS = "org.fibnuma.fibnic.command.FibnumaCommand";
    private static final String CONFIG = "router.toml";
    private static final String CLASS_PATH = "-cp";
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final int MTU = 1500;

    private ClassDataArchives()
    {
    }

    /**
     * Starts a router and a command once and writes their archives.
     *
     * @param directory for the archives, {@link #ROUTER} and {@link #COMMAND}, and for the router's configuration.
     * @param java      command line up to its class path, of which the archives need the same garbage collector.
     * @throws IOException   if the configuration cannot be written.
     * @throws UserException if one of the programs fails.
     */
    public static void write(final Path directory, final List<String> java) throws IOException
    {
        final String name = "class-data-" + ProcessHandle.current().pid();
        final Path config = Files.writeString(directory.resolve(CONFIG), String.join("\n",
            "[router]", "name = \"" + name + "\"", "cores = []",
            "[[port]]", "name = \"left\"", "device = \"xdp:r0\"",
            "[[port]]", "name = \"right\"", "device = \"xdp:r1\"", ""));
        try (Host hosts = Host.open("hosts"); Host router = Host.open("router"))
        {
            for (int i = 0; i < 2; i++)
            {
                hosts.connect("h" + i, router, "r" + i, MTU);
                router.address("r" + i, "10.0." + i + ".1/24");
            }
            try (ChildProcess process = router.start(
                command(java, directory.resolve(ROUTER), "router", "-c", config.toString())))
            {
                process.awaitLine("ready"::equals, PATIENCE);
                ChildProcess.run(
                    PATIENCE, command(java, directory.resolve(COMMAND), "show", "ports", "--json", "--name", name));
                process.terminate();
                process.awaitExit(PATIENCE);
            }
        }
    }

    /** Deletes what {@link #write} has written and is still there, and the directory. */
    public static void delete(final Path directory) throws IOException
    {
        for (final String file : List.of(ROUTER, COMMAND, CONFIG))
        {
            Files.deleteIfExists(directory.resolve(file));
        }
        Files.delete(directory);
    }

    /** Returns the command line that {@link JavaProgram} gives a program, up to its class path. */
    public static List<String> java()
    {
        final List<String> command = List.of(JavaProgram.command(MAIN_CLASS));
        return command.subList(0, command.indexOf(CLASS_PATH));
    }

    /** Directories, which no archive may have in its class path, are left out. */
    private static String[] command(final List<String> java, final Path archive, final String... arguments)
    {
        final List<String> all = List.of(JavaProgram.command(MAIN_CLASS, arguments));
        final int classPath = all.indexOf(CLASS_PATH) + 1;
        final List<String> command = new ArrayList<>(java);
        command.addAll(List.of("-XX:ArchiveClassesAtExit=" + archive, CLASS_PATH,
            Arrays.stream(all.get(classPath).split(File.pathSeparator))
                .filter(entry -> !Files.isDirectory(Path.of(entry))).collect(Collectors.joining(File.pathSeparator))));
        command.addAll(all.subList(classPath + 1, all.size()));
        return command.toArray(new String[0]);
    }
}

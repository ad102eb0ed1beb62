package org.fibnuma.core.netns;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Command lines that run a main class with the Java runtime, the class path and the JVM options of this process. */
public final class JavaProgram
{
    private static final List<String> SHARED_FLAGS = List.of(
        "--add-opens", "--enable-native-access", "-Djnr.", "-Dfibnuma.bounds", "-Dagrona.", "-XX:", "-Xms");

    private JavaProgram()
    {
    }

    /**
     * Returns the command line that runs a class.
     *
     * @param mainClass name of a class of this class path.
     * @param arguments arguments of the class.
     * @return program and arguments.
     */
    public static String[] command(final String mainClass, final String... arguments)
    {
        return command(List.of(), mainClass, arguments);
    }

    /**
     * Returns the command line that runs a class with additional JVM options.
     *
     * @param flags     additional JVM options.
     * @param mainClass name of a class of this class path.
     * @param arguments arguments of the class.
     * @return program and arguments.
     */
    public static String[] command(final List<String> flags, final String mainClass, final String... arguments)
    {
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        for (final String flag : ManagementFactory.getRuntimeMXBean().getInputArguments())
        {
            if (SHARED_FLAGS.stream().anyMatch(flag::startsWith))
            {
                command.add(flag);
            }
        }
        command.addAll(flags);
        command.add("-cp");
        command.add(absoluteClassPath());
        command.add(mainClass);
        command.addAll(List.of(arguments));
        return command.toArray(new String[0]);
    }

    private static String absoluteClassPath()
    {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(entry -> Path.of(entry).toAbsolutePath().toString())
            .collect(Collectors.joining(File.pathSeparator));
    }
}

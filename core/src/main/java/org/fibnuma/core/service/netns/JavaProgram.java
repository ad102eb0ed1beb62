package org.fibnuma.core.service.netns;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** Command lines that run a main class with the Java runtime, the class path and the JVM options of this process. */
public final class JavaProgram
{
    /**
     * System property: the path of a class data archive ({@code -XX:SharedArchiveFile}) for the programs, which then
     * start with fewer classes to load. A file that does not exist is left out. The archive must have been made with a
     * class path of the jars of this one, in their order.
     */
    public static final String CLASS_DATA_PROPERTY = "fibnuma.class.data";

    private static final List<String> SHARED_FLAGS = List.of(
        "--add-opens", "--add-exports", "--enable-native-access", "-Djnr.", "-Dfibnuma.bounds", "-Dfibnuma.warm-up",
        "-Dagrona.", "-XX:", "-Xms");

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
        final String classData = System.getProperty(CLASS_DATA_PROPERTY, "");
        if (!classData.isEmpty() && Files.exists(Path.of(classData)))
        {
            command.add("-XX:SharedArchiveFile=" + classData);
        }
        command.addAll(flags);
        command.add("-cp");
        command.add(absoluteClassPath());
        command.add(mainClass);
        command.addAll(List.of(arguments));
        return command.toArray(new String[0]);
    }

    /** Directories come last: a class data archive covers the jars that a class path begins with. */
    private static String absoluteClassPath()
    {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(entry -> Path.of(entry).toAbsolutePath())
            .sorted(Comparator.comparing(Files::isDirectory))
            .map(Path::toString)
            .collect(Collectors.joining(File.pathSeparator));
    }
}

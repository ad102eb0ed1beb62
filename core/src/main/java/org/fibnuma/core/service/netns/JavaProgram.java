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
     * System property with the path of a class data archive ({@code -XX:SharedArchiveFile}), with which the programs
     * start faster. The archive must have been made with the jars of this class path in the same order. Without the
     * file no archive is used.
     */
    public static final String CLASS_DATA_PROPERTY = "fibnuma.class.data";

    private static final List<String> SHARED_FLAGS = List.of(
        "--add-opens", "--add-exports", "--enable-native-access", "-Djnr.", "-Dfibnuma.bounds", "-Dfibnuma.warm-up",
        "-Dagrona.", "-XX:", "-Xms");

    private JavaProgram()
    {
    }

    /** Returns the command line that runs a class of this class path. */
    public static String[] command(final String mainClass, final String... arguments)
    {
        return command(List.of(), mainClass, arguments);
    }

    /** Returns the command line that runs a class of this class path with additional JVM options. */
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

    /** Directories come last, because a class data archive contains the first jars of a class path. */
    private static String absoluteClassPath()
    {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(entry -> Path.of(entry).toAbsolutePath())
            .sorted(Comparator.comparing(Files::isDirectory))
            .map(Path::toString)
            .collect(Collectors.joining(File.pathSeparator));
    }
}

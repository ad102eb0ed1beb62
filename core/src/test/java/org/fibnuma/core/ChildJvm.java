package org.fibnuma.core;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts a main class in another JVM with the class path of this one, for tests across processes. */
public final class ChildJvm
{
    private ChildJvm()
    {
    }

    /**
     * Starts it; its standard error goes where this process's does.
     *
     * @param mainClass to run.
     * @param arguments for it.
     * @return the process; the caller ends it.
     * @throws IOException where the JVM cannot be started.
     */
    public static Process start(final Class<?> mainClass, final String... arguments) throws IOException
    {
        final Path flags = Require.projectDirectory().resolve(".mvn");
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("@" + flags.resolve("java.args"));
        if (Runtime.version().feature() >= 24)
        {
            command.add("@" + flags.resolve("java24.args"));
        }
        if (!Files.exists(flags))
        {
            throw new IOException("no .mvn in " + flags.getParent() + ": set fibnuma.project.dir");
        }
        command.addAll(List.of("-Xmx256m", "-cp", classPath(), mainClass.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    private static String classPath()
    {
        // Surefire starts the tests from a manifest-only jar and keeps the real class path in a property.
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }
}

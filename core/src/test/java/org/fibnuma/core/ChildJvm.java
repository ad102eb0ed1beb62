package org.fibnuma.core;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts a main class in another JVM with the class path of this one, for tests across processes. */
public final class ChildJvm
{
    private static final List<String> SMALL = List.of("-Xmx256m");
    /** Some virtual machines take eight seconds to touch the heap. */
    private static final String UNTOUCHED = "-XX:-AlwaysPreTouch";

    private ChildJvm()
    {
    }

    /**
     * Starts a JVM, which inherits the standard error of this process.
     *
     * @param mainClass to run.
     * @param arguments for it.
     * @return the process; the caller ends it.
     * @throws IOException where the JVM cannot be started.
     */
    public static Process start(final Class<?> mainClass, final String... arguments) throws IOException
    {
        return start(SMALL, classPath(), mainClass.getName(), arguments);
    }

    /**
     * As {@link #start(Class, String...)}, with the flags that the launcher gives to routers and endpoints: Agrona's
     * bounds checks are off. But the heap is not touched at the start.
     *
     * @param mainClass to run.
     * @param arguments for it.
     * @return the process; the caller ends it.
     * @throws IOException where the JVM cannot be started.
     */
    public static Process startServing(final Class<?> mainClass, final String... arguments) throws IOException
    {
        final Path files = Require.projectDirectory().resolve(".mvn");
        final int release = Runtime.version().feature();
        final List<String> flags = new ArrayList<>();
        flags.add("@" + files.resolve("serving.args"));
        if (release < 24)
        {
            flags.add("@" + files.resolve("serving-to23.args"));
        }
        if (release >= 21 && release < 24)
        {
            flags.add("@" + files.resolve("serving-21to23.args"));
        }
        flags.add(UNTOUCHED);
        return start(flags, classPath(), mainClass.getName(), arguments);
    }

    /**
     * As {@link #start(Class, String...)}, with one more entry at the end of the class path.
     *
     * @param last      folder or jar.
     * @param mainClass name of the class to run, which may be in {@code last}.
     * @param arguments for it.
     * @return the process; the caller ends it.
     * @throws IOException where the JVM cannot be started.
     */
    public static Process startWith(final Path last, final String mainClass, final String... arguments)
        throws IOException
    {
        return start(SMALL, classPath() + File.pathSeparator + last, mainClass, arguments);
    }

    private static Process start(
        final List<String> jvmFlags, final String classPath, final String mainClass, final String... arguments)
        throws IOException
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
        command.addAll(jvmFlags);
        command.addAll(List.of("-cp", classPath, mainClass));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    private static String classPath()
    {
        // Surefire starts the tests from a manifest-only jar and keeps the real class path in a property.
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }
}

package org.fibnuma.core;

import org.junit.jupiter.api.Assumptions;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Requirements of tests on the machine. If one is not met, the test is skipped with the reason, unless
 * {@code FIBNUMA_REQUIRE_ALL=true}: then it fails. {@link #sharedData} skips the test also then if the folder of the
 * reference data does not exist.
 */
public final class Require
{
    private static final boolean ALL = Boolean.parseBoolean(System.getenv("FIBNUMA_REQUIRE_ALL"));

    private Require()
    {
    }

    /** Root, for namespaces and AF_XDP. */
    public static void root()
    {
        that("root".equals(System.getProperty("user.name")) && new File("/proc/self/ns/net").exists(),
            "needs root: run as root to test on real network namespaces");
    }

    /**
     * A program on the path.
     *
     * @param name of the executable.
     * @param debianPackage that brings it.
     */
    public static void program(final String name, final String debianPackage)
    {
        boolean found = false;
        for (final String directory : (System.getenv("PATH") + ":/usr/sbin:/sbin").split(":"))
        {
            found |= new File(directory, name).canExecute();
        }
        that(found, "needs " + name + ": apt-get install " + debianPackage);
    }

    /** Scapy in Debian's Python, the independent builder and reader of frames. */
    public static void scapy()
    {
        that(succeeds("/usr/bin/python3", "-c", "import scapy"), "needs scapy: apt-get install python3-scapy");
    }

    /**
     * A file of the reference data beside the project. The data are not part of the project: without their folder the
     * test is skipped. If the folder exists, every file that a test needs is required.
     *
     * @param relative path below the data folder.
     * @return the file.
     */
    public static Path sharedData(final String relative)
    {
        final Path folder = projectDirectory().resolve("../shared/data").normalize();
        Assumptions.assumeTrue(Files.isDirectory(folder), "needs reference data beside the project: " + folder);
        final Path file = folder.resolve(relative).normalize();
        that(Files.exists(file), "needs reference data beside the project: " + relative);
        return file;
    }

    /**
     * The root of the checkout.
     *
     * @return its directory.
     */
    public static Path projectDirectory()
    {
        return Path.of(System.getProperty("fibnuma.project.dir", "."));
    }

    /**
     * Any other condition.
     *
     * @param met    whether it holds.
     * @param reason what is missing and how to get it.
     */
    public static void that(final boolean met, final String reason)
    {
        if (!met && ALL)
        {
            throw new AssertionError("FIBNUMA_REQUIRE_ALL is set, but this test " + reason);
        }
        Assumptions.assumeTrue(met, reason);
    }

    private static boolean succeeds(final String... command)
    {
        try
        {
            final Process process = new ProcessBuilder(command)
                .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
            return process.waitFor(30, TimeUnit.SECONDS) && process.exitValue() == 0;
        }
        catch (final IOException ignore)
        {
            return false;
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}

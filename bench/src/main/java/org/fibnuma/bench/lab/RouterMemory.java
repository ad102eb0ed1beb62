package org.fibnuma.bench.lab;

import org.fibnuma.core.UserException;
import org.fibnuma.core.service.netns.ChildProcess;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Memory of a running router, in bytes. */
public final class RouterMemory
{
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Pattern TOTAL = Pattern.compile("(?m)^Total +\\d+ +(\\d+)$");
    private static final Pattern ANONYMOUS = Pattern.compile("RssAnon:\\s+(\\d+) kB");

    private RouterMemory()
    {
    }

    /** Returns the memory of a router outside its heap, which is a shared mapping (ZGC). */
    public static long anonymousBytes(final RouterProcess process) throws IOException
    {
        return 1024 * number(ANONYMOUS, Files.readString(Path.of("/proc", Long.toString(process.pid()), "status")));
    }

    /** As {@link #anonymousBytes}, after the C library has given back what the JIT's compilers have freed. */
    public static long trimmedBytes(final RouterProcess process) throws IOException
    {
        command(process, "System.trim_native_heap");
        return anonymousBytes(process);
    }

    /** Returns the bytes of reachable objects; the router stands still for their count. */
    public static long liveBytes(final RouterProcess process)
    {
        return number(TOTAL, command(process, "GC.class_histogram"));
    }

    private static String command(final RouterProcess process, final String command)
    {
        return ChildProcess.run(PATIENCE, Path.of(System.getProperty("java.home"), "bin/jcmd").toString(),
            Long.toString(process.pid()), command);
    }

    private static long number(final Pattern pattern, final String text)
    {
        final Matcher matcher = pattern.matcher(text);
        if (!matcher.find())
        {
            throw new UserException("no memory of the router in: " + text);
        }
        return Long.parseLong(matcher.group(1));
    }
}

package org.fibnuma.fibnic.datapath;

import org.fibnuma.core.memory.SoftwarePrefetch;

import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.function.Supplier;

/** Prefetch of the objects that {@link #providing} makes: it prefetches nothing and records the size of each call. */
public final class RecordingPrefetch implements SoftwarePrefetch
{
    private static final List<Integer> ASKED = new ArrayList<>();

    /** For the service loader. */
    public RecordingPrefetch()
    {
        ASKED.clear();
    }

    /** Makes something while this is the one provider that the calling thread finds. */
    static <T> T providing(final Path directory, final Supplier<T> maker) throws IOException
    {
        final Path file = Files.writeString(directory.resolve("provider"), RecordingPrefetch.class.getName());
        final Thread thread = Thread.currentThread();
        final ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(new OneProvider(file.toUri().toURL()));
        try
        {
            return maker.get();
        }
        finally
        {
            thread.setContextClassLoader(before);
        }
    }

    /** How many lines were asked for since this was last called. */
    static int asked()
    {
        final int sum = ASKED.stream().mapToInt(Integer::intValue).sum();
        ASKED.clear();
        return sum;
    }

    @Override
    public boolean prefetch(final long addresses, final int count)
    {
        ASKED.add(count);
        return true;
    }

    private static final class OneProvider extends ClassLoader
    {
        private final URL file;

        private OneProvider(final URL file)
        {
            super(RecordingPrefetch.class.getClassLoader());
            this.file = file;
        }

        @Override
        public Enumeration<URL> getResources(final String name) throws IOException
        {
            return name.endsWith(SoftwarePrefetch.class.getName()) ?
                Collections.enumeration(List.of(file)) : super.getResources(name);
        }
    }
}

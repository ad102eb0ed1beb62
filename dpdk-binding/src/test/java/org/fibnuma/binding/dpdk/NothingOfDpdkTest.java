package org.fibnuma.binding.dpdk;

import org.fibnuma.core.ChildJvm;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.PortSettings;
import org.fibnuma.core.port.Ports;
import org.junit.jupiter.api.Test;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

class NothingOfDpdkTest
{
    @Test
    void shouldLoadNothingOfDpdkForOtherPorts() throws IOException
    {
        final Process process = ChildJvm.start(OtherPorts.class);
        final String output = new String(process.getInputStream().readAllBytes()).trim();

        assertEquals(0, process.onExit().join().exitValue(), output);
        assertEquals("DpdkPortProvider", output);
    }

    /** A process whose only port is in memory; it prints what it has loaded of DPDK. */
    static final class OtherPorts
    {
        private OtherPorts()
        {
        }

        public static void main(final String[] arguments) throws Exception
        {
            try (RecordingLoader loader = new RecordingLoader())
            {
                Thread.currentThread().setContextClassLoader(loader);
                final Runnable user = (Runnable)loader.loadClass(PortUser.class.getName())
                    .getDeclaredConstructor().newInstance();
                user.run();
                loader.loaded.forEach(System.out::println);
            }
            if (Files.readString(Path.of("/proc/self/maps")).contains("librte_"))
            {
                System.out.println("library");
            }
        }
    }

    /** Opens a port in memory. */
    public static final class PortUser implements Runnable
    {
        /** For the other class loader. */
        public PortUser()
        {
        }

        @Override
        public void run()
        {
            final MemoryRegion region = MemoryRegion.ofChunks(128, 2048);
            final FramePool pool = new FramePool(region, 2048, 0, 128);
            final Port port = Ports.open(
                new PortRequest("p", "mem:nothing-of-dpdk", 0, List.of(pool), PortSettings.DEFAULT));
            port.start();
            port.close();
            region.close();
        }
    }

    /** Loads everything itself that is not Java's own, and keeps the names of what is DPDK's. */
    private static final class RecordingLoader extends URLClassLoader
    {
        private static final String DPDK = "org.fibnuma.binding.dpdk.";

        private final List<String> loaded = new ArrayList<>();

        RecordingLoader() throws MalformedURLException
        {
            super(urls(), getPlatformClassLoader());
        }

        private static URL[] urls() throws MalformedURLException
        {
            final List<URL> urls = new ArrayList<>();
            for (final String entry : System.getProperty("java.class.path").split(File.pathSeparator))
            {
                urls.add(new File(entry).toURI().toURL());
            }
            return urls.toArray(new URL[0]);
        }

        @Override
        protected Class<?> findClass(final String name) throws ClassNotFoundException
        {
            final Class<?> found = super.findClass(name);
            if (name.startsWith(DPDK) && !name.contains("NothingOfDpdkTest"))
            {
                loaded.add(name.substring(DPDK.length()));
            }
            return found;
        }
    }
}

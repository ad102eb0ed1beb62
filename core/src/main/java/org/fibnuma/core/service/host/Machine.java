package org.fibnuma.core.service.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/** Facts about the machine on which a figure was measured. */
public final class Machine
{
    private Machine()
    {
    }

    /** Returns processor, kernel, Java runtime and date by name, in the order in which they are printed. */
    public static Map<String, Object> facts()
    {
        final Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("processor", processor());
        facts.put("cores", cores());
        facts.put("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        facts.put("hugePages", hugePages());
        facts.put("java", System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
        facts.put("date", LocalDate.now().toString());
        return facts;
    }

    /** Returns the number of processors of the machine; the process may be pinned to one of them. */
    private static long cores()
    {
        try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo")))
        {
            return lines.filter(line -> line.startsWith("processor")).count();
        }
        catch (final IOException ignore)
        {
            return Runtime.getRuntime().availableProcessors();
        }
    }

    private static String processor()
    {
        return firstLine("/proc/cpuinfo", "model name") + ", family " + firstLine("/proc/cpuinfo", "cpu family") +
            " model " + firstLine("/proc/cpuinfo", "model\t");
    }

    private static String hugePages()
    {
        final String setting = firstLine("/sys/kernel/mm/transparent_hugepage/enabled", "");
        return "transparent: " + setting.replaceAll(".*\\[(.*)\\].*", "$1") +
            ", reserved: " + firstLine("/proc/meminfo", "HugePages_Total");
    }

    private static String firstLine(final String file, final String start)
    {
        try (Stream<String> lines = Files.lines(Path.of(file)))
        {
            return lines.filter(line -> line.startsWith(start)).findFirst()
                .map(line -> line.substring(line.indexOf(':') + 1).strip()).orElse("unknown");
        }
        catch (final IOException ignore)
        {
            return "unknown";
        }
    }
}

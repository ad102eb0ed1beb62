package org.fibnuma.bench.forward;

import org.fibnuma.core.UserException;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The source of DPDK's l3fwd, version 22.11, as its package installs it, and the constants in it that do not fit a full
 * table on the devices of a {@link ForwardRig}. Nothing else of it is changed.
 */
final class L3fwdSource
{
    /** What l3fwd has as a minimum, added to what the capture holds for good. */
    private static final int MBUFS_UNDER_WAY = 8192;
    /** A table with no long prefix still needs one group. */
    private static final int FEWEST_GROUPS = 256;
    /** As shipped, 65,536 groups, they take 64 MB of memory for routes that nobody looks up. */
    private static final int IPV6_GROUPS = 256;

    private final Path directory;

    L3fwdSource(final Path directory)
    {
        this.directory = directory;
    }

    /**
     * A constant with another value.
     *
     * @param file     of the source.
     * @param constant where it stands: its value is group 1.
     * @param value    to put there.
     */
    record Change(String file, Pattern constant, String value)
    {
        static Change define(final String file, final String name, final int value)
        {
            return new Change(
                file, Pattern.compile("^#define[ \\t]+" + name + "[ \\t]+(.+)$", Pattern.MULTILINE), "" + value);
        }

        /**
         * Changes a text.
         *
         * @param text of the file.
         * @return with the new value.
         * @throws UserException where the constant is not there exactly once.
         */
        String apply(final String text)
        {
            final Matcher matcher = constant.matcher(text);
            final long found = matcher.results().count();
            if (found != 1)
            {
                throw new UserException("l3fwd's " + file + " has " + found + " times, not once, what is to become " +
                    value + " (" + constant + "): --l3fwd knows the source of DPDK 22.11, Debian 12's dpdk-doc");
            }
            matcher.reset().find();
            return text.substring(0, matcher.start(1)) + value + text.substring(matcher.end(1));
        }
    }

    /**
     * What is to be changed for a table and a capture.
     *
     * @param rules  of the table.
     * @param frames in the capture.
     * @return the changes.
     */
    static List<Change> changes(final L3fwdRules rules, final int frames)
    {
        return List.of(
            Change.define("l3fwd_lpm.c", "IPV4_L3FWD_LPM_MAX_RULES", rules.count()),
            Change.define("l3fwd_lpm.c", "IPV4_L3FWD_LPM_NUMBER_TBL8S", Math.max(FEWEST_GROUPS, rules.groups())),
            Change.define("l3fwd_lpm.c", "IPV6_L3FWD_LPM_NUMBER_TBL8S", IPV6_GROUPS),
            // net_pcap verifies no checksum and refuses to be asked for it.
            new Change("main.c", Pattern.compile("\\.offloads = (RTE_ETH_RX_OFFLOAD_CHECKSUM)\\b"), "0"),
            new Change("main.c", Pattern.compile("\\(unsigned\\)(8192)\\b"), "" + (frames + MBUFS_UNDER_WAY)));
    }

    /**
     * Copies it with changes.
     *
     * @param to      a directory that is there.
     * @param changes each in a file of the source.
     * @throws UserException where a file cannot be read or written, or a change does not fit.
     */
    void copy(final Path to, final List<Change> changes)
    {
        try (Stream<Path> files = Files.list(directory))
        {
            for (final Path file : files.filter(L3fwdSource::isSource).toList())
            {
                String text = Files.readString(file, StandardCharsets.ISO_8859_1);
                for (final Change change : changes)
                {
                    text = file.endsWith(change.file()) ? change.apply(text) : text;
                }
                Files.writeString(to.resolve(file.getFileName()), text, StandardCharsets.ISO_8859_1);
            }
        }
        catch (final IOException ex)
        {
            throw new UserException("cannot copy " + directory + ": " + ex.getMessage(), ex);
        }
    }

    private static boolean isSource(final Path file)
    {
        return file.toString().endsWith(".c") || file.toString().endsWith(".h");
    }
}

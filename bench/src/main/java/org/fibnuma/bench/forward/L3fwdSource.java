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
 * The source of DPDK's l3fwd, version 22.11, from DPDK's package. Copies change only the constants that are too small
 * for a full table on the devices of a {@link ForwardRig}.
 */
final class L3fwdSource
{
    /** l3fwd's own minimum of mbufs; those that the capture occupies are added. */
    private static final int MBUFS_UNDER_WAY = 8192;
    /** Smallest number of groups: rte_lpm and rte_lpm6 need one even if no prefix is longer than /24. */
    private static final int FEWEST_GROUPS = 256;

    private final Path directory;

    L3fwdSource(final Path directory)
    {
        this.directory = directory;
    }

    /**
     * A new value for a constant.
     *
     * @param file     file of the source.
     * @param constant pattern of the definition; its group 1 is the value.
     * @param value    new value.
     */
    record Change(String file, Pattern constant, String value)
    {
        static Change define(final String file, final String name, final int value)
        {
            return new Change(
                file, Pattern.compile("^#define[ \\t]+" + name + "[ \\t]+(.+)$", Pattern.MULTILINE), "" + value);
        }

        /**
         * Applies the change to the text of the file.
         *
         * @param text original text.
         * @return text with the new value.
         * @throws UserException if the text does not contain the constant exactly once.
         */
        String apply(final String text)
        {
            final Matcher matcher = constant.matcher(text);
            final long found = matcher.results().count();
            if (found != 1)
            {
                throw new UserException("l3fwd's " + file + " has " + found + " matches of " + constant +
                    " instead of 1 to replace by " + value +
                    ": --l3fwd needs the source of DPDK 22.11, Debian 12's dpdk-doc");
            }
            matcher.reset().find();
            return text.substring(0, matcher.start(1)) + value + text.substring(matcher.end(1));
        }
    }

    /**
     * Returns the changes that a table and a capture need.
     *
     * @param rules  rules of the table.
     * @param frames number of frames in the capture.
     * @return the changes.
     */
    static List<Change> changes(final L3fwdRules rules, final int frames)
    {
        return List.of(
            Change.define("l3fwd_lpm.c", "IPV4_L3FWD_LPM_MAX_RULES", rules.count()),
            Change.define("l3fwd_lpm.c", "IPV4_L3FWD_LPM_NUMBER_TBL8S", Math.max(FEWEST_GROUPS, rules.groups())),
            Change.define("l3fwd_lpm.c", "IPV6_L3FWD_LPM_MAX_RULES", rules.ipv6Count()),
            Change.define("l3fwd_lpm.c", "IPV6_L3FWD_LPM_NUMBER_TBL8S", Math.max(FEWEST_GROUPS, rules.ipv6Groups())),
            // net_pcap does not verify checksums and refuses a configuration that requires it.
            new Change("main.c", Pattern.compile("\\.offloads = (RTE_ETH_RX_OFFLOAD_CHECKSUM)\\b"), "0"),
            new Change("main.c", Pattern.compile("\\(unsigned\\)(8192)\\b"), "" + (frames + MBUFS_UNDER_WAY)));
    }

    /**
     * Copies the source and applies the changes.
     *
     * @param to      existing directory.
     * @param changes changes, each in a file of the source.
     * @throws UserException if a file cannot be read or written, or a change does not fit.
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

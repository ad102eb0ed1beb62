package org.fibnuma.binding.pcap;

import jnr.ffi.LibraryLoader;
import org.agrona.UnsafeApi;
import org.fibnuma.binding.libc.LibC;
import org.fibnuma.binding.libc.StructMemory;
import org.fibnuma.core.UserException;
import org.fibnuma.core.filter.FilterProgram;
import org.fibnuma.core.port.pcap.PcapReader;

import java.util.List;

/** Compiles expressions of pcap-filter(7) for Ethernet frames by libpcap. The first compilation loads the library. */
public final class PcapFilterCompiler
{
    /** Most bytes kept of a frame: libpcap's MAXIMUM_SNAPLEN. */
    private static final int SNAP_LENGTH = 262_144;
    private static final int OPTIMIZE = 1;
    /** BPF_LD and BPF_ABS, of any size. For an offset below 0 Linux loads properties of a packet (SKF_AD_OFF). */
    private static final int ABSOLUTE_LOAD = 0x20;
    private static final int LOAD_MASK = 0xE7;
    /** PCAP_NETMASK_UNKNOWN: an expression with "ip broadcast" is refused. */
    private static final int NO_NETMASK = -1;
    /** File names of the library without its development package, in Debian and other distributions. */
    private static final List<String> NAMES = List.of("libpcap.so.0.8", "libpcap.so.1");

    private static PcapLibrary loaded;

    private PcapFilterCompiler()
    {
    }

    /**
     * Returns the library, always the same object.
     *
     * @throws UserException with one line for the user if it is missing.
     */
    static synchronized PcapLibrary library()
    {
        if (loaded == null)
        {
            // Loading the C library first configures jnr-ffi.
            LibC.get();
            loaded = load();
        }
        return loaded;
    }

    private static PcapLibrary load()
    {
        for (final String name : NAMES)
        {
            try
            {
                return LibraryLoader.create(PcapLibrary.class).failImmediately().load(name);
            }
            catch (final UnsatisfiedLinkError ignore)
            {
                // It may be installed by another name.
            }
        }
        throw new UserException("a filter needs libpcap, which is not installed: apt-get install libpcap0.8");
    }

    /**
     * Compiles an expression such as {@code udp and dst net 192.0.2.0/24} to a program that accepts whole frames; the
     * empty expression accepts every frame. Any thread.
     *
     * @throws UserException with one line for the user if the expression is wrong or libpcap is missing.
     */
    public static FilterProgram compile(final String expression)
    {
        final PcapLibrary library = library();
        final long pcap = library.pcap_open_dead(PcapReader.LINK_TYPE_ETHERNET, SNAP_LENGTH);
        try (StructMemory program = new StructMemory(BpfProgramLayout.LENGTH))
        {
            if (library.pcap_compile(pcap, program.address(), expression, OPTIMIZE, NO_NETMASK) < 0)
            {
                throw new UserException("filter \"" + expression + "\": " +
                    library.pcap_geterr(pcap).lines().findFirst().orElse("libpcap cannot compile it"));
            }
            final String text = text(program);
            library.pcap_freecode(program.address());
            if (text == null)
            {
                throw new UserException("filter \"" + expression + "\": it asks for more than the bytes of a frame, " +
                    "as inbound and outbound do; use --direction for these");
            }
            return parse(expression, text);
        }
        finally
        {
            library.pcap_close(pcap);
        }
    }

    /** Parses the program of an expression. It fails for "protochain", which is compiled to a loop. */
    private static FilterProgram parse(final String expression, final String program)
    {
        try
        {
            return FilterProgram.parse(program);
        }
        catch (final IllegalArgumentException ex)
        {
            throw new UserException("filter \"" + expression + "\": a router does not run what libpcap makes of it: " +
                ex.getMessage(), ex);
        }
    }

    /** Returns null if the program loads properties of a packet that only Linux has. */
    private static String text(final StructMemory program)
    {
        final int length = program.getInt(BpfProgramLayout.LENGTH_OFFSET);
        final StringBuilder text = new StringBuilder();
        long at = program.getLong(BpfProgramLayout.INSTRUCTIONS_OFFSET);
        for (int i = 0; i < length; i++)
        {
            final int code = UnsafeApi.getShort(at + BpfProgramLayout.CODE_OFFSET) & 0xFFFF;
            final int constant = UnsafeApi.getInt(at + BpfProgramLayout.CONSTANT_OFFSET);
            if ((code & LOAD_MASK) == ABSOLUTE_LOAD && constant < 0)
            {
                return null;
            }
            text.append(i == 0 ? "" : ",")
                .append(code).append(' ')
                .append(UnsafeApi.getByte(at + BpfProgramLayout.WHEN_TRUE_OFFSET) & 0xFF).append(' ')
                .append(UnsafeApi.getByte(at + BpfProgramLayout.WHEN_FALSE_OFFSET) & 0xFF).append(' ')
                .append(Integer.toUnsignedString(constant));
            at += BpfProgramLayout.INSTRUCTION_LENGTH;
        }
        return text.toString();
    }
}

package org.fibnuma.binding.pcap;

import jnr.ffi.LibraryLoader;
import org.agrona.UnsafeApi;
import org.fibnuma.binding.libc.LibC;
import org.fibnuma.binding.libc.StructMemory;
import org.fibnuma.core.UserException;
import org.fibnuma.core.filter.FilterProgram;
import org.fibnuma.core.port.pcap.PcapReader;

import java.util.List;

/**
 * Compiles expressions of pcap-filter(7) for Ethernet frames by libpcap. The library is loaded when the first one is
 * compiled.
 */
public final class PcapFilterCompiler
{
    /** Most bytes kept of a frame: libpcap's MAXIMUM_SNAPLEN. */
    private static final int SNAP_LENGTH = 262_144;
    private static final int OPTIMIZE = 1;
    /** BPF_LD and BPF_ABS, of any size. With an offset below 0 Linux loads properties of a packet (SKF_AD_OFF). */
    private static final int ABSOLUTE_LOAD = 0x20;
    private static final int LOAD_MASK = 0xE7;
    /** PCAP_NETMASK_UNKNOWN: an expression with "ip broadcast" is refused. */
    private static final int NO_NETMASK = -1;
    /** The names by which Debian and other distributions install it without its development package. */
    private static final List<String> NAMES = List.of("libpcap.so.0.8", "libpcap.so.1");

    private static PcapLibrary loaded;

    private PcapFilterCompiler()
    {
    }

    /**
     * Returns the library, always the same object.
     *
     * @throws UserException with one line for the user where it is missing.
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
                // Perhaps it is installed by another name.
            }
        }
        throw new UserException("a filter needs libpcap, which is not installed: apt-get install libpcap0.8");
    }

    /**
     * Compiles an expression; any thread.
     *
     * @param expression such as {@code udp and dst net 192.0.2.0/24}; the empty one accepts every frame.
     * @return the program, which accepts whole frames.
     * @throws UserException with one line for the user where the expression is wrong or libpcap is missing.
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

    /** "protochain" is compiled to a loop, which no filter may have. */
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

    /** Returns null if the program loads what only Linux knows about a packet. */
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

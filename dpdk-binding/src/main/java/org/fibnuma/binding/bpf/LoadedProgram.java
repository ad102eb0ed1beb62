package org.fibnuma.binding.bpf;

import org.fibnuma.binding.libc.LibC;
import org.fibnuma.binding.libc.StructMemory;

import java.util.ArrayList;
import java.util.List;

/** Describes the programs of all processes in the kernel. */
public final class LoadedProgram
{
    private static final int MOST_PROGRAMS = 64;

    private LoadedProgram()
    {
    }

    /**
     * Describes a program by its id in the kernel, such as {@code id 12 (xdp_dispatcher)}. The name is omitted if the
     * program has none or is gone, or the kernel does not report it.
     */
    public static String describe(final int id)
    {
        final String name = name(id);
        return name.isEmpty() ? "id " + id : "id " + id + " (" + name + ")";
    }

    /**
     * Returns the ids of the programs that traffic control runs on an interface by links (tcx); none before Linux 6.6.
     *
     * @param interfaceIndex of the interface, in the calling thread's network namespace.
     * @param ingress        true for received frames, false for transmitted frames.
     */
    public static List<Integer> tcx(final int interfaceIndex, final boolean ingress)
    {
        final List<Integer> ids = new ArrayList<>();
        try (StructMemory attr = new StructMemory(BpfAttrLayout.QUERY_SIZE);
            StructMemory array = new StructMemory(MOST_PROGRAMS * Integer.BYTES))
        {
            attr.putInt(BpfAttrLayout.QUERY_TARGET_OFFSET, interfaceIndex)
                .putInt(BpfAttrLayout.QUERY_ATTACH_TYPE_OFFSET,
                ingress ? BpfAttrLayout.BPF_TCX_INGRESS : BpfAttrLayout.BPF_TCX_EGRESS)
                .putLong(BpfAttrLayout.QUERY_PROG_IDS_OFFSET, array.address())
                .putInt(BpfAttrLayout.QUERY_PROG_CNT_OFFSET, MOST_PROGRAMS);
            if (BpfSystemCall.invoke(BpfAttrLayout.BPF_PROG_QUERY, attr) == 0)
            {
                final int count = Math.min(MOST_PROGRAMS, attr.getInt(BpfAttrLayout.QUERY_PROG_CNT_OFFSET));
                for (int i = 0; i < count; i++)
                {
                    ids.add(array.getInt(i * Integer.BYTES));
                }
            }
        }
        return ids;
    }

    private static String name(final int id)
    {
        try (StructMemory attr = new StructMemory(BpfAttrLayout.ID_SIZE))
        {
            attr.putInt(BpfAttrLayout.ID_OFFSET, id);
            final int fd = BpfSystemCall.invoke(BpfAttrLayout.BPF_PROG_GET_FD_BY_ID, attr);
            if (fd < 0)
            {
                return "";
            }
            try
            {
                return nameOf(fd);
            }
            finally
            {
                LibC.get().close(fd);
            }
        }
    }

    private static String nameOf(final int fd)
    {
        try (StructMemory attr = new StructMemory(BpfAttrLayout.INFO_ATTR_SIZE);
            StructMemory info = new StructMemory(BpfAttrLayout.PROG_INFO_SIZE))
        {
            attr.putInt(BpfAttrLayout.INFO_BPF_FD_OFFSET, fd)
                .putInt(BpfAttrLayout.INFO_LEN_OFFSET, BpfAttrLayout.PROG_INFO_SIZE)
                .putLong(BpfAttrLayout.INFO_OFFSET, info.address());
            return BpfSystemCall.invoke(BpfAttrLayout.BPF_OBJ_GET_INFO_BY_FD, attr) < 0 ? "" :
                info.getString(BpfAttrLayout.PROG_INFO_NAME_OFFSET, BpfAttrLayout.NAME_SIZE);
        }
    }
}

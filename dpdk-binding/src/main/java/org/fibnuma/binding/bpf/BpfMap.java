package org.fibnuma.binding.bpf;

import org.fibnuma.binding.libc.Errno;
import org.fibnuma.binding.libc.LibC;
import org.fibnuma.binding.libc.StructMemory;
import org.fibnuma.binding.libc.SysMman;
import org.fibnuma.binding.libc.SystemCallException;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Memory of the kernel shared by programs and this process. Keys and values are bytes; numbers in them are in the
 * machine's order unless the program defines another. Any thread may use it. Methods throw {@link SystemCallException}
 * if the kernel refuses.
 */
public final class BpfMap implements AutoCloseable
{
    /** Allocates memory of entries when they are added (BPF_F_NO_PREALLOC). */
    public static final int NO_PREALLOC = 1;
    /** Allows this process to map the values of an array map into its memory (BPF_F_MMAPABLE). */
    public static final int MMAPABLE = 1 << 10;

    private static final int PAGE_SIZE = 4096;

    private final int keySize;
    private final int valueSize;
    private final long memorySize;
    private int fd;
    private long memory;

    private BpfMap(final int fd, final int keySize, final int valueSize, final int maxEntries)
    {
        this.fd = fd;
        this.keySize = keySize;
        this.valueSize = valueSize;
        this.memorySize = (long)valueStride(valueSize) * maxEntries + PAGE_SIZE - 1 & -PAGE_SIZE;
    }

    /**
     * Creates an empty map.
     *
     * @param type       of the map.
     * @param keySize    in bytes; 4 for arrays and XSKMAP.
     * @param valueSize  in bytes; 4 for XSKMAP.
     * @param maxEntries largest number of entries.
     * @param flags      0 or constants of this class.
     * @param name       up to 15 letters, digits and underscores, shown by tools that list maps.
     */
    public static BpfMap create(
        final BpfMapType type,
        final int keySize,
        final int valueSize,
        final int maxEntries,
        final int flags,
        final String name)
    {
        try (StructMemory attr = new StructMemory(BpfAttrLayout.MAP_CREATE_SIZE))
        {
            attr.putInt(BpfAttrLayout.MAP_TYPE_OFFSET, type.number())
                .putInt(BpfAttrLayout.KEY_SIZE_OFFSET, keySize)
                .putInt(BpfAttrLayout.VALUE_SIZE_OFFSET, valueSize)
                .putInt(BpfAttrLayout.MAX_ENTRIES_OFFSET, maxEntries)
                .putInt(BpfAttrLayout.MAP_FLAGS_OFFSET, flags)
                .putString(BpfAttrLayout.MAP_NAME_OFFSET, name, BpfAttrLayout.NAME_SIZE);
            final int fd = BpfSystemCall.check(BpfAttrLayout.BPF_MAP_CREATE, attr, "BPF_MAP_CREATE");
            return new BpfMap(fd, keySize, valueSize, maxEntries);
        }
    }

    /** Returns a key or value of four bytes in the machine's order. */
    public static byte[] bytes(final int number)
    {
        return ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.nativeOrder()).putInt(number).array();
    }

    /**
     * Returns the distance in bytes, a multiple of 8, of two values of an array map by the size of a value in bytes.
     */
    public static int valueStride(final int valueSize)
    {
        return valueSize + Long.BYTES - 1 & -Long.BYTES;
    }

    /**
     * Maps the values of a {@link #MMAPABLE} array map into this process until {@link #close()}. Returns the address of
     * the first value.
     */
    public long mapValues()
    {
        if (memory == 0)
        {
            final long address = LibC.get().mmap(0, memorySize, SysMman.PROT_READ | SysMman.PROT_WRITE,
                SysMman.MAP_SHARED | SysMman.MAP_POPULATE, fd, 0);
            if (address == SysMman.MAP_FAILED)
            {
                throw new SystemCallException("mmap of a map", Errno.last(), "");
            }
            memory = address;
        }
        return memory;
    }

    /** Returns the file descriptor, 0 or more while the map is open. */
    public int fd()
    {
        return fd;
    }

    /** Adds or replaces an entry. Lengths of key and value are those of the map. */
    public void put(final byte[] key, final byte[] value)
    {
        element(BpfAttrLayout.BPF_MAP_UPDATE_ELEM, "BPF_MAP_UPDATE_ELEM", key, value);
    }

    /** Removes an entry; the length of the key is that of the map. Returns false if there was none. */
    public boolean remove(final byte[] key)
    {
        return element(BpfAttrLayout.BPF_MAP_DELETE_ELEM, "BPF_MAP_DELETE_ELEM", key, new byte[valueSize]) != null;
    }

    /**
     * Returns the value of an entry, or null; not for maps of a PERCPU type. The length of the key is that of the map.
     */
    public byte[] get(final byte[] key)
    {
        return element(BpfAttrLayout.BPF_MAP_LOOKUP_ELEM, "BPF_MAP_LOOKUP_ELEM", key, new byte[valueSize]);
    }

    /** Closes the map; the kernel keeps it while a program uses it. Further calls have no effect. */
    @Override
    public void close()
    {
        if (memory != 0)
        {
            LibC.get().munmap(memory, memorySize);
            memory = 0;
        }
        if (fd >= 0)
        {
            LibC.get().close(fd);
            fd = -1;
        }
    }

    private byte[] element(final int command, final String name, final byte[] key, final byte[] value)
    {
        if (key.length != keySize || value.length != valueSize)
        {
            throw new IllegalArgumentException("key " + key.length + " and value " + value.length +
                " bytes in a map of " + keySize + " and " + valueSize);
        }
        try (StructMemory attr = new StructMemory(BpfAttrLayout.ELEM_SIZE);
            StructMemory keyMemory = new StructMemory(keySize);
            StructMemory valueMemory = new StructMemory(valueSize))
        {
            keyMemory.putBytes(0, key);
            valueMemory.putBytes(0, value);
            attr.putInt(BpfAttrLayout.ELEM_MAP_FD_OFFSET, fd)
                .putLong(BpfAttrLayout.ELEM_KEY_OFFSET, keyMemory.address());
            if (command != BpfAttrLayout.BPF_MAP_DELETE_ELEM)
            {
                attr.putLong(BpfAttrLayout.ELEM_VALUE_OFFSET, valueMemory.address());
            }
            if (BpfSystemCall.invoke(command, attr) < 0)
            {
                final int errno = Errno.last();
                if (Errno.ENOENT.is(errno))
                {
                    return null;
                }
                throw new SystemCallException("bpf(" + name + ")", errno, "");
            }
            return valueMemory.getBytes(0, valueSize);
        }
    }
}

package org.fibnuma.binding.libc;

/** Constants for memory mappings (linux/mman.h, asm-generic/mman-common.h, Linux 6.1). */
public final class SysMman
{
    /** Result of {@link LibC#mmap} on failure. */
    public static final long MAP_FAILED = -1;

    public static final int PROT_NONE = 0;
    public static final int PROT_READ = 1;
    public static final int PROT_WRITE = 2;
    public static final int PROT_EXEC = 4;

    /** Other processes see changes. */
    public static final int MAP_SHARED = 0x01;
    /** Only this process sees changes. */
    public static final int MAP_PRIVATE = 0x02;
    /** The mapping must be at the given address. */
    public static final int MAP_FIXED = 0x10;
    /** The memory is not backed by a file. */
    public static final int MAP_ANONYMOUS = 0x20;
    /** Pages are made resident at once. */
    public static final int MAP_POPULATE = 0x8000;
    /** From the pool of huge pages; fails if that has too few. */
    public static final int MAP_HUGETLB = 0x40000;

    /** Use transparent huge pages here. */
    public static final int MADV_HUGEPAGE = 14;

    private SysMman()
    {
    }
}

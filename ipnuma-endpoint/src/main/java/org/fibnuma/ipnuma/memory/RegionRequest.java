package org.fibnuma.ipnuma.memory;

/**
 * Values of a region to be opened.
 *
 * @param name   of the region and its file: 1 to 64 letters, digits, {@code -}, {@code _} and {@code .}, not beginning
 *               with a dot.
 * @param id     1 to 65,535.
 * @param size   in bytes: a multiple of 4,096 up to 1 GiB.
 * @param access sum of write 1, read 2, atomic 4.
 */
public record RegionRequest(String name, int id, long size, int access)
{
    private static final String NAME = "[A-Za-z0-9_-][A-Za-z0-9._-]{0," + (RegionFileLayout.MAX_NAME_LENGTH - 1) + "}";
    private static final int MAX_ID = 0xFFFF;
    private static final int ALL_ACCESS = 7;
    private static final int PAGE = 4096;
    private static final long MAX_SIZE = 1L << 30;

    /** Throws {@link IllegalArgumentException} if a value is out of range. */
    public RegionRequest
    {
        if (!isName(name))
        {
            throw new IllegalArgumentException("not the name of a region: use 1 to " +
                RegionFileLayout.MAX_NAME_LENGTH + " letters, digits, hyphens, underscores and dots");
        }
        if (id < 1 || id > MAX_ID)
        {
            throw new IllegalArgumentException("region " + name + ": id " + id + " is not in 1 to " + MAX_ID);
        }
        if (!isSize(size))
        {
            throw new IllegalArgumentException("region " + name + ": " + size +
                " bytes; a region has a multiple of " + PAGE + " bytes, up to 1 GiB");
        }
        if (access < 1 || access > ALL_ACCESS)
        {
            throw new IllegalArgumentException("region " + name + ": access " + access +
                " is not a sum of write 1, read 2, atomic 4");
        }
    }

    /** Returns whether a text is a valid name of a region. */
    public static boolean isName(final String text)
    {
        return text.matches(NAME);
    }

    /** Returns whether a number of bytes is a valid size of a region. */
    public static boolean isSize(final long size)
    {
        return size >= PAGE && size <= MAX_SIZE && size % PAGE == 0;
    }
}

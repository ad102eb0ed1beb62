package org.fibnuma.core.service.command;

/** Lays out sentences below a table of results. */
public final class Paragraph
{
    private static final String INDENT = "  ";
    private static final int COLUMNS = 80;

    private Paragraph()
    {
    }

    /**
     * Breaks a text between words.
     *
     * @param text words with a space between two.
     * @return lines of at most 80 columns with an indent of two; a longer word has a longer line.
     */
    public static String format(final String text)
    {
        final StringBuilder lines = new StringBuilder();
        int column = 0;
        for (final String word : text.split(" "))
        {
            if (column > 0 && column + 1 + word.length() > COLUMNS)
            {
                lines.append(System.lineSeparator());
                column = 0;
            }
            lines.append(column == 0 ? INDENT : " ").append(word);
            column += (column == 0 ? INDENT.length() : 1) + word.length();
        }
        return lines.append(System.lineSeparator()).toString();
    }
}

package org.fibnuma.core.service.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** Finds the known words that a user probably meant by an unknown one. */
public final class SimilarWords
{
    private static final int MOST = 3;
    /** One character in three may be wrong. */
    private static final int LETTERS_FOR_ERROR = 3;

    private SimilarWords()
    {
    }

    /** Returns at most three known words that differ from a word in few characters, the most similar one first. */
    public static List<String> of(final String word, final Collection<String> known)
    {
        final int most = Math.max(1, word.length() / LETTERS_FOR_ERROR);
        return known.stream()
            .filter(candidate -> distance(word, candidate) <= most)
            .sorted(Comparator.comparingInt(candidate -> distance(word, candidate)))
            .limit(MOST)
            .toList();
    }

    /** Optimal string alignment distance: characters added, left out, replaced, or swapped with the next one. */
    private static int distance(final String left, final String right)
    {
        final int[][] distances = new int[left.length() + 1][right.length() + 1];
        for (int i = 0; i <= left.length(); i++)
        {
            for (int j = 0; j <= right.length(); j++)
            {
                distances[i][j] = i == 0 || j == 0 ? i + j : step(distances, left, right, i, j);
            }
        }
        return distances[left.length()][right.length()];
    }

    private static int step(
        final int[][] distances, final String left, final String right, final int i, final int j)
    {
        final boolean isSame = left.charAt(i - 1) == right.charAt(j - 1);
        final int least = Math.min(
            distances[i - 1][j - 1] + (isSame ? 0 : 1), Math.min(distances[i - 1][j], distances[i][j - 1]) + 1);
        final boolean isSwapped = i > 1 && j > 1 &&
            left.charAt(i - 1) == right.charAt(j - 2) && left.charAt(i - 2) == right.charAt(j - 1);
        return isSwapped ? Math.min(least, distances[i - 2][j - 2] + 1) : least;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.verify;

import io.github.rdma4j.providers.script.Mode;
import io.github.rdma4j.providers.script.RandomScript.Life;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What a random script is made from.
 *
 * @param mode the device
 * @param seed the seed
 * @param life what the queue pairs are like
 * @param lines the length that was asked for; the script makes its first queues besides
 */
public record Script(Mode mode, long seed, Life life, int lines) {
    /** The length of one script of many: each has queues of other sizes. */
    public static final int SHORT_LINES = 5_000;

    /** The length of a script in which the rings of a queue pair go round. */
    public static final int LONG_LINES = 50_000;

    /** Of so many lines, one script is long. */
    private static final int LINES_WITH_A_LONG_ONE = 200_000;

    /** A script of short lives. */
    public Script(Mode mode, long seed, int lines) {
        this(mode, seed, Life.SHORT, lines);
    }

    /**
     * Scripts of {@code lines} lines for each mode. Campaigns share no script, whatever their seeds, and neither do the modes of one.
     */
    static List<Script> campaign(List<Mode> modes, long seed, int lines) {
        List<Script> scripts = new ArrayList<>();
        for (Mode mode : modes) {
            SplittableRandom seeds = new SplittableRandom(
                    new SplittableRandom(seed).nextLong() ^ mode.name().hashCode());
            int left = lines;
            for (int i = 0; i < lines / LINES_WITH_A_LONG_ONE; i++, left -= LONG_LINES) {
                scripts.add(new Script(mode, seeds.nextLong(), Life.LONG, LONG_LINES));
            }
            for (; left > 0; left -= SHORT_LINES) {
                scripts.add(new Script(mode, seeds.nextLong(), Math.min(left, SHORT_LINES)));
            }
        }
        return scripts;
    }

    @Override
    public String toString() {
        return "mode " + mode.name() + ", script " + seed + (life == Life.LONG ? " of long lives" : "") + ", " + lines
                + " lines";
    }

    /** The options that repeat this script alone. */
    String options() {
        return "--mode " + mode.name() + " --script " + seed + (life == Life.LONG ? " --long" : "") + " --lines "
                + lines;
    }
}

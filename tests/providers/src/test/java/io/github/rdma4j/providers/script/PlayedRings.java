// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.script;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.kernel.RdmaException;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.AbstractThrowableAssert;

/** Queues of a driver that a test plays lines of a script on, with no library beside. */
public abstract class PlayedRings {
    private final List<String> out = new ArrayList<>();

    @SuppressWarnings("NullAway.Init") // made by each test
    private Player player;

    /** Opens the device, and plays {@code lines}. */
    protected final void open(Mode mode, String... lines) throws RdmaException {
        player = new Player(mode, out::add);
        play(lines);
    }

    protected final Player player() {
        return player;
    }

    protected final void play(String... lines) throws RdmaException {
        for (String line : lines) {
            player.play(line);
        }
    }

    /** What came of all lines since {@link #outcome} or {@link #forget}. */
    protected final List<String> out() {
        return List.copyOf(out);
    }

    protected final void forget() {
        out.clear();
    }

    /** What came of {@code line}. */
    protected final List<String> outcome(String line) throws RdmaException {
        forget();
        play(line);
        return List.copyOf(out.subList(1, out.size()));
    }

    /** The completions among {@link #out}. */
    protected final List<String> completions() {
        return out.stream().filter(each -> each.startsWith("  completion")).toList();
    }

    /** The completions that came of {@code line}. */
    protected final List<String> completions(String line) throws RdmaException {
        outcome(line);
        return completions();
    }

    /** The exception by which {@code line} is refused. */
    protected final AbstractThrowableAssert<?, ? extends Throwable> assertRefused(String line) {
        return assertThatThrownBy(() -> play(line)).isInstanceOf(IllegalArgumentException.class);
    }
}

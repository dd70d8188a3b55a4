// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.semantics.behaviour;

import java.util.Objects;

/** Plays scripts. */
final class Stage {
    private Stage() {}

    /** What the script of a behaviour has seen; a script that cannot go on says where it stopped. */
    static String play(Behaviour behaviour) {
        StringBuilder text = new StringBuilder();
        try (Scene scene = new Scene()) {
            play(Objects.requireNonNull(behaviour.script()), scene, text);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            text.append("; STOPPED: interrupted");
        } catch (Exception | AssertionError e) {
            text.append("; STOPPED: ").append(oneLine(e));
        }
        return text.toString();
    }

    private static void play(Script script, Scene scene, StringBuilder text) throws Exception {
        try {
            script.play(scene);
        } finally {
            text.append(scene.text());
        }
    }

    private static String oneLine(Throwable e) {
        return String.valueOf(e.getMessage() == null ? e : e.getMessage()).replaceAll("\\s+", " ");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Faults of the frames that a node sends, made by {@code tc-netem(8)}. Percentages are the probability for each frame.
 * Immutable; for {@link Node#impair}.
 */
public final class Netem {
    /** The number of frames that wait; a link of 1 Gbit/s with a delay of 100 ms fills the queue. */
    private static final int QUEUE_FRAMES = 10_000;

    private static final double ALL = 100;
    private static final List<String> PERCENTAGES = List.of("loss", "duplicate", "reorder", "corrupt");

    private final Builder built;

    private Netem(Builder built) {
        this.built = built;
    }

    /** A link that loses frames, 0 to 100 percent. */
    public static Netem loss(double percent) {
        return builder().loss(percent).build();
    }

    /** A link that delays every frame, by at most an hour. */
    public static Netem delay(Duration delay) {
        return builder().delay(delay).build();
    }

    /** A builder without faults. */
    public static Builder builder() {
        return new Builder();
    }

    /** A builder with the values of this object. */
    public Builder toBuilder() {
        return new Builder(built);
    }

    List<String> arguments() {
        List<String> arguments = new ArrayList<>(List.of("netem", "limit", String.valueOf(QUEUE_FRAMES)));
        if (!built.delay.isZero()) {
            arguments.addAll(List.of("delay", microseconds(built.delay), microseconds(built.jitter)));
        }
        for (String name : PERCENTAGES) {
            double percent = built.percentages.getOrDefault(name, 0.0);
            if (percent > 0) {
                arguments.addAll(List.of(name, String.format(Locale.ROOT, "%.4f%%", percent)));
            }
        }
        return arguments;
    }

    private static String microseconds(Duration duration) {
        return duration.toNanos() / 1000 + "us";
    }

    /** The options of {@code tc qdisc … netem}. */
    @Override
    public String toString() {
        return String.join(" ", arguments());
    }

    /**
     * Faults for {@code @SoftRoce(netem = …)}. Every node applies the fault to the frames that it sends. Frames of a
     * node to itself have no faults, so a fault needs two nodes.
     */
    public enum Profile {
        /** No fault. */
        NONE,
        /** 5 % of the frames are lost. */
        LOSS,
        /** Every frame arrives 20 ms late. */
        DELAY,
        /** 25 % of the frames overtake the other frames, which arrive 10 ms late. */
        REORDER,
        /** 10 % of the frames arrive twice. */
        DUPLICATE,
        /** 1 % of the frames have one wrong bit. */
        CORRUPT;

        /** The fault, for {@link Node#impair}. */
        public Netem netem() {
            Builder builder = builder();
            return switch (this) {
                case NONE -> builder.build();
                case LOSS -> builder.loss(5).build();
                case DELAY -> builder.delay(Duration.ofMillis(20)).build();
                case REORDER -> builder.delay(Duration.ofMillis(10)).reorder(25).build();
                case DUPLICATE -> builder.duplicate(10).build();
                case CORRUPT -> builder.corrupt(1).build();
            };
        }
    }

    /** Builds a {@link Netem}. */
    public static final class Builder {
        private static final Duration LONGEST_DELAY = Duration.ofHours(1);

        private Duration delay = Duration.ZERO;
        private Duration jitter = Duration.ZERO;
        private final Map<String, Double> percentages = new HashMap<>();

        private Builder() {}

        private Builder(Builder other) {
            delay = other.delay;
            jitter = other.jitter;
            percentages.putAll(other.percentages);
        }

        /** The delay of every frame, at most an hour. */
        public Builder delay(Duration time) {
            delay = upToAnHour(time);
            return this;
        }

        /** The largest random difference from the delay, at most an hour. Needs a delay; frames overtake each other. */
        public Builder jitter(Duration time) {
            jitter = upToAnHour(time);
            return this;
        }

        /** The percentage of frames that are lost. */
        public Builder loss(double percent) {
            return percentage("loss", percent);
        }

        /** The percentage of frames that arrive twice. */
        public Builder duplicate(double percent) {
            return percentage("duplicate", percent);
        }

        /** The percentage of frames that overtake waiting frames: these frames are sent at once. Needs a delay. */
        public Builder reorder(double percent) {
            return percentage("reorder", percent);
        }

        /** The percentage of frames with one wrong bit. */
        public Builder corrupt(double percent) {
            return percentage("corrupt", percent);
        }

        private Builder percentage(String name, double percent) {
            if (!(percent >= 0 && percent <= ALL)) {
                throw new IllegalArgumentException("a percentage is 0 to 100, not " + percent);
            }
            percentages.put(name, percent);
            return this;
        }

        private static Duration upToAnHour(Duration time) {
            if (time.isNegative() || time.compareTo(LONGEST_DELAY) > 0) {
                throw new IllegalArgumentException("a delay is 0 to 1 hour, not " + time);
            }
            return time;
        }

        /**
         * Builds the object.
         *
         * @throws IllegalStateException if the builder has reordering or jitter without a delay
         */
        public Netem build() {
            if (delay.isZero() && (percentages.getOrDefault("reorder", 0.0) > 0 || !jitter.isZero())) {
                throw new IllegalStateException("reordering and jitter need a delay");
            }
            return new Netem(new Builder(this));
        }
    }
}

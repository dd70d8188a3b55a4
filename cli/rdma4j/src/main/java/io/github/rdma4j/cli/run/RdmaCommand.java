// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.run;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The base of the commands: help, output, and checks of options. */
@Command(mixinStandardHelpOptions = true)
public abstract class RdmaCommand implements Callable<Integer> {
    protected static final int MAX_PORT = 65535;

    /** The maximum number of connections in options; far more than any device supports. */
    protected static final int MAX_CONNECTIONS = 100_000;

    /** No limit: the longest time in nanoseconds. A longer one would cost an exception in every wait. */
    public static final Duration FOR_EVER = Duration.ofNanos(Long.MAX_VALUE);

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    /** A number in the formats of {@code strtoul(3)}: decimal, hexadecimal after 0x, octal after 0. */
    public static final class AnyRadix implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            return Integer.decode(text);
        }
    }

    protected final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    protected final PrintWriter err() {
        return spec.commandLine().getErr();
    }

    protected final String version() {
        return String.join(" ", spec.root().version());
    }

    /** A time limit in an option, where 0 means no limit. */
    public static Duration limit(int seconds) {
        return seconds == 0 ? FOR_EVER : Duration.ofSeconds(seconds);
    }

    /** Rejects a number that is out of range; null means that the option is missing. */
    protected final void requireWithin(String option, @Nullable Number value, long least, long most) {
        if (value != null && (value.longValue() < least || value.longValue() > most)) {
            throw wrong(option + " " + value + " is not from " + least + " to " + most);
        }
    }

    /** Rejects the command line with {@code message} unless {@code condition} holds. */
    protected final void require(boolean condition, String message) {
        if (!condition) {
            throw wrong(message);
        }
    }

    protected final ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.run;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Prints the error in a command line without the list of options, which would hide the error. */
public final class WrongUsage implements IParameterExceptionHandler {
    private static final String LAUNCHER = "rdma4j";
    private static final String NO_SUBCOMMAND = "Missing required subcommand";

    @Override
    public int handleParseException(ParameterException failure, String[] arguments) {
        CommandLine command = failure.getCommandLine();
        PrintWriter err = command.getErr();
        err.println("rdma4j: " + text(failure));
        UnmatchedArgumentException.printSuggestions(failure, err);
        String name = command.getCommandSpec().qualifiedName();
        err.println("Try: ./" + (name.startsWith(LAUNCHER) ? "" : LAUNCHER + " ") + name + " --help");
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    private static String text(ParameterException failure) {
        String message = String.valueOf(failure.getMessage());
        if (message.equals(NO_SUBCOMMAND)) {
            return "name one of the commands: "
                    + String.join(
                            ", ", failure.getCommandLine().getSubcommands().keySet());
        }
        if (failure instanceof UnmatchedArgumentException unmatched && !unmatched.isUnknownOption()) {
            return "unexpected argument '" + String.join("', '", unmatched.getUnmatched()) + "'";
        }
        return message.replaceFirst("('-?\\d+') is not an? (?:int|long)$", "$1 is out of range")
                .replaceFirst("is not an? (?:int|long)$", "is not a whole number")
                .replaceFirst("is not a (?:float|double)$", "is not a number");
    }
}

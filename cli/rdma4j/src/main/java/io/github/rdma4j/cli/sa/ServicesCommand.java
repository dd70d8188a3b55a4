// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.sa;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.SaClient;
import io.github.rdma4j.sm.mad.SaRequest;
import io.github.rdma4j.sm.mad.ServiceRecord;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code rdma4j sa services}. */
@Command(name = "services", description = "List the registered services.", mixinStandardHelpOptions = true)
final class ServicesCommand extends SaSession {
    @Option(names = "--name", paramLabel = "NAME", description = "List only services with this name.")
    private @Nullable String name;

    ServicesCommand() {}

    @Override
    void run(SaClient client, Output output) throws RdmaException, InterruptedException {
        ServiceRecord.Template wanted = ServiceRecord.template();
        if (name != null) {
            wanted.name(name);
        }
        List<List<Field>> services = client.call(SaRequest.getTable(wanted)).stream()
                .map(ServicesCommand::fields)
                .toList();
        output.table(services, "no services");
    }

    private static List<Field> fields(ServiceRecord service) {
        String id = String.format(Locale.ROOT, "0x%016x", service.serviceId());
        boolean forEver = service.leaseSeconds() == ServiceRecord.FOR_EVER;
        long lease = Integer.toUnsignedLong(service.leaseSeconds());
        return List.of(
                Field.of("name", "name", service.name()),
                Field.of("serviceId", "service id", id),
                Field.of("portGid", "port GID", service.gid().toString()),
                Field.hex("pkey", "P_Key", service.pkey(), 4),
                new Field("leaseSeconds", "lease, s", forEver ? null : lease, forEver ? "for ever" : "" + lease));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.image;

import io.github.rdma4j.testbed.host.Progress;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.ReadOnlyFileSystemException;
import java.util.Optional;

/**
 * Holds a cache entry against its {@link CacheSeal}.
 *
 * @param name the file that a quick look is about
 * @param thorough whether to read all files of the entry
 */
record SealedFile(String name, boolean thorough, Progress progress) implements CacheDirectory.Inspector {
    @Override
    public Optional<String> damage(Path entry) throws IOException {
        CacheSeal seal = new CacheSeal(entry);
        if (!seal.exists()) {
            return adopted(entry, seal);
        }
        if (thorough) {
            progress.step("checking " + entry);
        }
        try {
            return thorough ? seal.thoroughDamage() : seal.quickDamage(name);
        } catch (MalformedInputException | CacheSeal.UnreadableException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    // Made by a version of the testbed that recorded nothing: what it holds now is what later changes are told by.
    private Optional<String> adopted(Path entry, CacheSeal seal) throws IOException {
        if (!Files.isRegularFile(entry.resolve(name))) {
            return Optional.of(name + " is missing");
        }
        try {
            progress.step("recording the checksums of " + entry);
            seal.write();
        } catch (AccessDeniedException | ReadOnlyFileSystemException e) {
            progress.note("no checksums of " + entry + " are recorded: testbed setup of its owner does so");
        }
        return Optional.empty();
    }

    @Override
    public void replaces(Path entry, String damage) {
        progress.note("the cache entry " + entry + " is damaged (" + damage + "); making it again");
    }
}

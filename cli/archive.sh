# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# The archive of classes (CDS) of the command line, which ./rdma4j makes once after a build and reads this file for.

# make_archive JAR ARCHIVE: the classes of a command and all of rdma4j, ready to map. A static archive: a dynamic one has
# no classes compiled for Java 5, as those of picocli are.
make_archive() {
    local part=$2.$$ module
    "$java" -XX:DumpLoadedClassList="$part.list" -jar "$1" devices &> /dev/null || true
    for module in "${LIBRARIES[@]}"; do
        find "$root/$module/target/classes" -name '*.class' -printf '%P\n' | sed 's/\.class$//' >> "$part.list"
    done
    "$java" -Xshare:dump -XX:SharedClassListFile="$part.list" -XX:SharedArchiveFile="$part" -cp "$1" &> /dev/null || true
    rm -f "$part.list"
    mv "$part" "$2" 2> /dev/null || true
}

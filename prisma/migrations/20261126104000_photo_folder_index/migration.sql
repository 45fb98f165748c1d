-- For the sweep, which knows a file by the folder of its photo: photos/<account>/<folder>/<file>.
CREATE INDEX "photos_folder_idx" ON "photos"(split_part("master_key", '/', 3));
